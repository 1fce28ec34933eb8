import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { fieldErrorOf } from './check.js';
import { LocaleField, findTextError, TextField, WebAddressField } from './text-fields.js';

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

class Reader {
  @LocaleField({ description: 'A language.' }) locale!: string;
}

describe('LocaleField', () => {
  it.each([
    ['PT-br', 'pt-BR', undefined],
    ['de_DE', 'de_DE', 'invalid_locale'],
    ['', '', 'too_short'],
    [`de-${'x'.repeat(33)}`, `de-${'x'.repeat(33)}`, 'too_long'],
    [7, 7, 'wrong_type'],
  ])('converts %j to %j (problem: %s)', async (input, output, code) => {
    const reader = plainToInstance(Reader, { locale: input });
    expect(reader.locale).toBe(output);
    await validate(reader);
    expect(fieldErrorOf(reader, 'locale')?.code).toBe(code);
  });
});
