import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

/** Words and phrases that texts for people must not contain, with their replacements. `docs/glossary.md` has the terms. */
const NOT_USED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /\b(?:those|the ones?|organizations?) (?:directly )?below\b|\bdirectly below\b/i,
    'child organizations, descendant organizations',
  ],
  [/\b(?:those|the ones?) above\b|\borganizations? above\b/i, 'parent organization, ancestor organizations'],
  [/\bleast length\b/i, 'minimum length'],
  [/\bwho(?:m|so)?ever\b/i, 'the noun: the user, the caller'],
  [/\b(?:is|are|was|were|be|been|being) told\b|\btold of\b/i, 'is notified, gets a message'],
  [/\bhand(?:s|ed|ing)? (?:over|on|out)\b/i, 'pass, delegate, release'],
  [/\bgiv(?:es?|en|ing) back\b/i, 'return, release'],
  [/\btak(?:es?|en|ing) along\b/i, 'claim, include'],
  [/\bcom(?:es?|ing) again\b/i, 'retry'],
  [/\bwaiting lines?\b/i, 'queue'],
  [/\bhandfuls?\b/i, 'batch'],
  [/\b(?:nobody|anybody|somebody)[’']s\b/i, 'nonexistent, of another user'],
  [/\bstrangers?\b/i, 'another user, an unknown client'],
  [/\bstronger (?:user|caller|person|role|account)s?\b/i, 'with higher privileges'],
  [/\btakeable\b/i, 'can be taken over'],
  [/\bgifts?\b/i, 'grant'],
  [/\bneighbou?rs?\b/i, 'other lines, other tenants'],
  [/\brooms?\b|\bdoors?\b|\bhouses?\b/i, 'library, public API, service'],
  [/\bpassed over\b/i, 'skipped, ignored'],
  [/\bs(?:end|ent|ends|ending) (?:it |them )?again\b/i, 'resend (one delivery), replay (deliveries of a period)'],
  [/\bfacts\b/i, 'details'],
  [/\be-mails?\b/i, 'email'],
  [/\bby mail\b/i, 'by email'],
  [/\btelephone\b/i, 'phone'],
  [/\bswitch(?:es|ed|ing)? (?:it |them |that )?(?:off|on)\b/i, 'disable, enable'],
  [/\bhands full\b/i, 'overloaded'],
  [/\bcome in yet\b/i, 'has not accepted the invitation yet'],
  [/\bwho may do what\b/i, 'permission check'],
  [/\bsafe repetition\b/i, 'idempotent retry'],
  [/\bcan not\b/i, "can't, cannot"],
  [/\bwhat stands\b|\bstands? in the way\b/i, 'the current state'],
  [/\bof which\b(?! at)/i, 'a new sentence with the noun'],
  [/\bthose (?:that|which)\b/i, 'the noun'],
  [
    /\b(?:colou?red|colour|behaviour|honour|favour|centre|licence|catalogue|cancelled|authoris|organis|recognis|initialis)/i,
    'American spelling',
  ],
];

/** Exceptions: names of the API. */
const ALLOWED: readonly RegExp[] = [
  /stronger_factor_needed/,
  /^organizations below$|organizationsBelow/,
  /email change cancelled|email_change_cancelled/,
];

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

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
