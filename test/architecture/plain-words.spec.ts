import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** Patterns of words and phrases that texts for people must not contain, with their replacements. `docs/glossary.md` has the terms. */
const NOT_USED = (read('test/architecture/plain-words.json') as [pattern: string, instead: string][]).map(
  ([pattern, instead]) => [new RegExp(pattern, 'i'), instead] as const,
);

/** Exceptions: names of the API. */
const ALLOWED: readonly RegExp[] = [
  /stronger_factor_needed/,
  /^organizations below$|organizationsBelow/,
  /email change cancelled|email_change_cancelled/,
];

/** Returns the path and text of each description, summary and title in the document. */
function textsOfDocument(value: unknown, at = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    typeof inner === 'string' && ['description', 'summary', 'title'].includes(name)
      ? [[`${at}/${name}`, inner]]
      : textsOfDocument(inner, `${at}/${name}`),
  );
}

const findingsIn = (texts: readonly [where: string, text: string][]): string[] =>
  texts.flatMap(([where, text]) =>
    NOT_USED.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined || ALLOWED.some((allowed) => allowed.test(text)) ? [] : [`${where}: "${found}" (${instead})`];
    }),
  );

describe('the product', () => {
  it.each(['apps/web/src/texts/en.json', 'apps/web/src/texts/sign-in/en.json', 'libs/platform/mail/src/texts/en.json'])(
    'uses plain words in %s',
    (path) => {
      expect(findingsIn(Object.entries(read(path) as Record<string, string>))).toEqual([]);
    },
  );

  it('uses plain words in the OpenAPI document', () => {
    expect(findingsIn(textsOfDocument(read('openapi.json')))).toEqual([]);
  });
});
