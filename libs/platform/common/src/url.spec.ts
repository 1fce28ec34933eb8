import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { parseUrl, webUri } from './url.js';

describe('parseUrl', () => {
  it('returns undefined for a text that is not a URL', () => {
    expect(parseUrl('https://example.com/a?b#c')?.pathname).toBe('/a');
    for (const text of ['', 'example.com', '/path', 'https://', 'https://[::1']) expect(parseUrl(text)).toBeUndefined();
  });

  it('parses letters outside ASCII in every call', () => {
    let read = 0;
    for (let count = 0; count < 50_000; count++)
      if (parseUrl('https://bücher.example/é')?.hostname === 'xn--bcher-kva.example') read++;
    expect(read).toBe(50_000);
  });
});

describe('webUri', () => {
  const isUri = formats.default(new Ajv(), ['uri']).compile({ type: 'string', format: 'uri' });

  it.each([
    'https://example.com',
    'HTTP://Example.com:8443/a%20b?c=d/?#e',
    'https://ada:pw@[2001:db8::1]/',
    'https://a_b.example?',
  ])('does not change %s', (address) => expect(webUri(address)).toBe(address));

  it.each([
    ['https://bücher.example/ä?ö#ü', 'https://xn--bcher-kva.example/%C3%A4?%C3%B6#%C3%BC'],
    ['https://①②⑦.⓪.⓪.①/', 'https://127.0.0.1/'],
    ['https:example.com\\a', 'https://example.com/a'],
    [
      'https://example.com/{a}/[b]|^`?{a}[b]|^`\\#c#d',
      'https://example.com/%7Ba%7D/%5Bb%5D%7C%5E%60?%7Ba%7D%5Bb%5D%7C%5E%60%5C#c%23d',
    ],
    ['https://example.com/100%?a=%zz%41', 'https://example.com/100%25?a=%25zz%41'],
  ])('converts %s to a URI', (address, uri) => expect(webUri(address)).toBe(uri));

  it.each([
    '',
    'example.com',
    '//example.com',
    'ftp://example.com/',
    'https://a b/',
    'https://example.com/\n',
    'https://a"b.example/',
  ])('returns undefined for %j', (text) => expect(webUri(text)).toBeUndefined());

  it('preserves the host', () => {
    const part = fc.string({ unit: 'grapheme' });
    const host = fc.oneof(fc.domain(), fc.constantFrom('bücher.example', '例え.jp', '[::1]', '1.2.3.4'), part);
    const address = fc
      .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), host, part, part, part)
      .chain(([plain, name, path, query, hash]) =>
        fc.constantFrom(plain, `https://${name}/${path}?${query}#${hash}`, `${plain}${path}`),
      );
    fc.assert(
      fc.property(address, (text) => {
        const uri = webUri(text);
        if (uri === undefined) return;
        expect(isUri(uri)).toBe(true);
        expect(webUri(uri)).toBe(uri);
        expect(new URL(uri).host).toBe(new URL(text).host);
      }),
      { numRuns: 2_000 },
    );
  });
});
