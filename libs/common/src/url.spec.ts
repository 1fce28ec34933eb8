import { describe, expect, it } from '@jest/globals';
import { parseUrl } from './url.js';

describe('parseUrl', () => {
  it('reads URLs, and gives undefined for what is none', () => {
    expect(parseUrl('https://example.com/a?b#c')?.pathname).toBe('/a');
    for (const text of ['', 'example.com', '/path', 'https://', 'https://[::1']) expect(parseUrl(text)).toBeUndefined();
  });

  it('reads letters outside ASCII however often it is asked', () => {
    let read = 0;
    for (let count = 0; count < 50_000; count++)
      if (parseUrl('https://bücher.example/é')?.hostname === 'xn--bcher-kva.example') read++;
    expect(read).toBe(50_000);
  });
});
