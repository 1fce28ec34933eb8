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
  @TextField({ description: 'A name.', maxLength: 5 }) name!: string;
}

describe('TextField', () => {
  it.each([
    [' Ada ', 'Ada', true],
    ['A\u030ake', 'Åke', true],
    // Only the trimmed text would be short enough.
    [' Ada  ', ' Ada  ', false],
  ])('converts %j to %j (valid: %s)', async (input, output, isValid) => {
    const request = plainToInstance(Request, { name: input });
    expect(request.name).toBe(output);
    expect((await validate(request)).length === 0).toBe(isValid);
  });
});

class Picture {
  @WebAddressField({ description: 'An address.' }) address!: string;
}

describe('WebAddressField', () => {
  it.each([
    ['converts an IRI to a URI', ' https://bücher.example/ä ', 'https://xn--bcher-kva.example/%C3%A4', undefined],
    [
      'rejects an IRI that is too long as a URI',
      `https://example.com/${'\u{1F389}'.repeat(1_500)}`,
      /^https:.{18000,}$/,
      'too_long',
    ],
    ['rejects an address with whitespace', 'https://example.com/my logo.png', 'https://example.com/my logo.png', 'invalid_url'],
    ['rejects an address without a web scheme', 'ftp://example.com/', 'ftp://example.com/', 'invalid_url'],
  ])('%s', async (_, input, output, code) => {
    const picture = plainToInstance(Picture, { address: input });
    expect(picture.address).toEqual(output instanceof RegExp ? expect.stringMatching(output) : output);
    await validate(picture);
    expect(fieldErrorOf(picture, 'address')?.code).toBe(code);
  });
});

class Colors {
  @TextListField({ description: 'Colors.', required: true, maxItems: 3, item: { maxLength: 10 } }) colors!: string[];
}

describe('TextListField', () => {
  it.each([
    [['red', 'red', 'blue'], ['red', 'blue'], true],
    [['red', 'red', 'red', 'blue'], ['red', 'red', 'red', 'blue'], false],
  ])('converts %j to %j (valid: %s)', async (input, output, isValid) => {
    const request = plainToInstance(Colors, { colors: input });
    expect(request.colors).toEqual(output);
    expect((await validate(request)).length === 0).toBe(isValid);
  });
});
