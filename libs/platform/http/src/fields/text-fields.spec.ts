import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { fieldErrorOf } from './check.js';
import { findTextError, TextField, WebAddressField } from './text-fields.js';
import { TextListField } from './value-fields.js';

const LIMITS = { minLength: 2, maxLength: 3 };

describe('findTextError', () => {
  it.each([
    ['a', 'too_short'],
    ['ab', undefined],
    ['abc', undefined],
    ['abcd', 'too_long'],
    // U+1D54B has two UTF-16 code units but is one character in JSON Schema.
    ['\u{1D54B}', 'too_short'],
    ['\u{1D54B}'.repeat(3), undefined],
    ['\u{1D54B}'.repeat(4), 'too_long'],
  ])('counts Unicode characters in %j', (text, code) => {
    expect(findTextError(text, LIMITS)?.code).toBe(code);
  });
});

class Request {
  @TextField({ description: 'A name.', maxLength: 5 }) name?: string;
  @WebAddressField({ description: 'An address.' }) address?: string;
  @TextListField({ description: 'Colors.', maxItems: 3, item: { maxLength: 10 } }) colors?: string[];
}

describe('a text field', () => {
  it.each([
    ['trims', { name: ' Ada ' }, { name: 'Ada' }, undefined],
    ['composes', { name: 'A\u030ake' }, { name: 'Åke' }, undefined],
    ['does not trim a text that is too long', { name: ' Ada  ' }, { name: ' Ada  ' }, 'too_long'],
    [
      'converts an IRI to a URI',
      { address: ' https://bücher.example/ä ' },
      { address: 'https://xn--bcher-kva.example/%C3%A4' },
      undefined,
    ],
    [
      'rejects an IRI that is too long as a URI',
      { address: `https://example.com/${'\u{1F389}'.repeat(1_500)}` },
      { address: expect.stringMatching(/^https:.{18000,}$/) },
      'too_long',
    ],
    ['rejects an address with whitespace', { address: 'https://example.com/my logo.png' }, {}, 'invalid_url'],
    ['rejects an address without a web scheme', { address: 'ftp://example.com/' }, {}, 'invalid_url'],
    ['removes duplicates', { colors: ['red', 'red', 'blue'] }, { colors: ['red', 'blue'] }, undefined],
    ['keeps a list that is too long', { colors: ['a', 'a', 'a', 'b'] }, { colors: ['a', 'a', 'a', 'b'] }, 'too_many'],
  ])('%s', async (_, input: Partial<Request>, output, code) => {
    const request = plainToInstance(Request, input);
    expect(request).toMatchObject({ ...input, ...output });
    await validate(request);
    expect(fieldErrorOf(request, Object.keys(input)[0]!)?.code).toBe(code);
  });
});
