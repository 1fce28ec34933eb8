import { describe, expect, it } from '@jest/globals';
import { textComplaint } from './text-fields.js';

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
