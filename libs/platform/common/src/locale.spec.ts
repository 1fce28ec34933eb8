import { describe, expect, it } from '@jest/globals';
import { canonicalLocale } from './locale.js';

describe('canonicalLocale', () => {
  it.each([
    ['de', 'de'],
    ['PT-br', 'pt-BR'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['de-1996', 'de-1996'],
    ['', undefined],
    ['d', undefined],
    ['de_DE', undefined],
    ['de-', undefined],
    ['de,en', undefined],
    ['deutsche Sprache', undefined],
    ['*', undefined],
    ['de-u-co-phonebk-ka-shifted-kb-true-kc-true', undefined],
  ])('converts %j to %j', (tag, canonical) => {
    expect(canonicalLocale(tag)).toBe(canonical);
  });
});
