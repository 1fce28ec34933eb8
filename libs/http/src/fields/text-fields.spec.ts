import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { textComplaint, TextField } from './text-fields.js';

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
  ])('keeps %j as %j, within what may be sent: %s', async (given, kept, isRight) => {
    const request = plainToInstance(Request, { name: given });
    expect(request.name).toBe(kept);
    expect((await validate(request)).length === 0).toBe(isRight);
  });
});
