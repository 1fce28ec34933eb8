import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { complaintOf } from './check.js';
import { LocaleField, textComplaint, TextField, WebAddressField } from './text-fields.js';

const LIMITS = { minLength: 2, maxLength: 3 };

describe('textComplaint', () => {
  it.each([
    ['a', 'too_short'],
    ['ab', undefined],
    ['abc', undefined],
    ['abcd', 'too_long'],
    // Two UTF-16 units each, and one character, as JSON Schema counts.
    ['\u{1D54B}', 'too_short'],
    ['\u{1D54B}'.repeat(3), undefined],
    ['\u{1D54B}'.repeat(4), 'too_long'],
  ])('counts the characters of %j as JSON Schema does', (text, code) => {
    expect(textComplaint(text, LIMITS)?.code).toBe(code);
  });
});

class Request {
  @TextField({ description: 'A name.', maxLength: 5 }) name!: string;
}

describe('TextField', () => {
  it.each([
    [' Ada ', 'Ada', true],
    // One more than the document allows, though less would be kept.
    [' Ada  ', ' Ada  ', false],
  ])('converts %j to %j, valid: %s', async (given, kept, isRight) => {
    const request = plainToInstance(Request, { name: given });
    expect(request.name).toBe(kept);
    expect((await validate(request)).length === 0).toBe(isRight);
  });
});

class Picture {
  @WebAddressField({ description: 'An address.' }) address!: string;
}

describe('WebAddressField', () => {
  it.each([
    ['an address', ' https://bücher.example/ä ', 'https://xn--bcher-kva.example/%C3%A4', undefined],
    ['one that is too long as a URI alone', `https://example.com/${'\u{1F389}'.repeat(1_500)}`, /^https:.{18000,}$/, 'too_long'],
    ['one with white space', 'https://example.com/my logo.png', 'https://example.com/my logo.png', 'invalid_url'],
    ['a scheme that leads elsewhere', 'ftp://example.com/', 'ftp://example.com/', 'invalid_url'],
  ])('converts %s to a URI, or rejects it', async (_, given, kept, code) => {
    const picture = plainToInstance(Picture, { address: given });
    expect(picture.address).toEqual(kept instanceof RegExp ? expect.stringMatching(kept) : kept);
    await validate(picture);
    expect(complaintOf(picture, 'address')?.code).toBe(code);
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
  ])('converts %j to %j, with the problem %s', async (given, kept, code) => {
    const reader = plainToInstance(Reader, { locale: given });
    expect(reader.locale).toBe(kept);
    await validate(reader);
    expect(complaintOf(reader, 'locale')?.code).toBe(code);
  });
});
