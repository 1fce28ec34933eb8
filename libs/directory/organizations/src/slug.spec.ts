import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ID_PREFIXES, isId } from '#platform/common';
import { SLUG_PATTERN, slugFrom, slugVariant } from './slug.js';

const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }));

describe('organization slug', () => {
  it('is valid ASCII for a name in any script', () => {
    fc.assert(
      fc.property(name, (text) => {
        for (const slug of [slugFrom(text), slugVariant(slugFrom(text))]) expect(slug).toMatch(SLUG_PATTERN);
      }),
      { numRuns: 2_000 },
    );
  });

  it('equals the name if the name is a valid slug', () => {
    fc.assert(
      fc.property(fc.stringMatching(SLUG_PATTERN), (slug) => {
        fc.pre(slug.length <= 56 && !slug.includes('--'));
        expect(slugFrom(slug)).toBe(slug);
      }),
    );
  });

  it('is never a valid ID', () => {
    fc.assert(
      fc.property(fc.stringMatching(SLUG_PATTERN), (slug) => {
        expect(Object.keys(ID_PREFIXES).some((kind) => isId(kind as keyof typeof ID_PREFIXES, slug))).toBe(false);
      }),
    );
  });

  it("can't contain look-alike, uppercase or control characters", () => {
    const invalidCharacters = fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).filter((text) => /[^a-z0-9-]/.test(text));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,20}$/), invalidCharacters, (slug, invalid) => {
        for (const text of [slug + invalid, invalid + slug, `${slug}${invalid}${slug}`])
          expect(SLUG_PATTERN.test(text)).toBe(false);
      }),
    );
    // A Cyrillic a, a full-width a, a Kelvin sign, a dotless i, and a line break at the end.
    for (const text of ['\u0430cme', '\uff41cme', '\u212a', '\u0131', 'acme\n', 'Acme', '-acme', 'acme-', ''])
      expect([text, SLUG_PATTERN.test(text)]).toEqual([text, false]);
  });
});
