import { describe, expect, it } from '@jest/globals';
import { wordPattern } from './word-pattern.js';

const PAYLOAD = JSON.stringify({
  email: 'ada@example.com',
  data: { firstName: 'Łucja', note: 'a "quoted\\text"', tags: ['billing.*', 'x'] },
});

describe('wordPattern', () => {
  it.each([
    ['ADA@example', true],
    ['łucja', true],
    ['"Quoted\\TEXT"', true],
    ['billing.*', true],
    ['ada.example', false],
    ['firstname', false],
    ['tags', false],
    ['x', true],
  ])('finds values that contain %s: %s', (word, isFound) => {
    // This part of the syntax is the same in PostgreSQL.
    expect(new RegExp(wordPattern(word)).test(PAYLOAD)).toBe(isFound);
  });
});
