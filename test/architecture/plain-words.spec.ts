import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Words and phrases that are not used in texts for people, and what is written instead. `docs/glossary.md` has the terms. */
const NOT_USED: readonly [pattern: RegExp, instead: string][] = [
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

/** Where one of them is right: a code of the API, an address that is wrong on purpose. */
const ALLOWED: readonly RegExp[] = [/stronger_factor_needed/, /\/v1\/organisations/];

/** Without inline code and the titles of tests that a page quotes. */
const prose = (line: string): string => line.replaceAll(/\[[^\]]*\]\([^)]*\.spec\.ts[^)]*\)|`[^`]*`/g, '');

function filesBelow(folder: string, ending: RegExp): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => ending.test(name) && !name.includes('node_modules')).map((name) => join(folder, name));
}

/** Texts of the document, by where they are: descriptions, summaries, titles. */
function textsOfDocument(value: unknown, at = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    typeof inner === 'string' && ['description', 'summary', 'title'].includes(name)
      ? [[`openapi.json${at}/${name}`, inner]]
      : textsOfDocument(inner, `${at}/${name}`),
  );
}

const lines = (path: string): [string, string][] =>
  readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .map((line, index) => [`${path}:${index + 1}`, prose(line)]);

function wrongIn(texts: readonly [where: string, text: string][]): string[] {
  return texts.flatMap(([where, text]) =>
    NOT_USED.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined || ALLOWED.some((allowed) => allowed.test(text)) ? [] : [`${where}: "${found}" (${instead})`];
    }),
  );
}

describe('texts for people', () => {
  it('of the pages and the mails are in plain words', () => {
    const files = ['apps/web/src/texts/en.json', 'apps/web/src/texts/sign-in/en.json', 'libs/platform/mail/src/texts/en.json'];
    const messages = files.flatMap((path) =>
      Object.entries(JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, string>),
    );
    expect(wrongIn(messages)).toEqual([]);
  });

  it('of the OpenAPI document are in plain words', () => {
    expect(wrongIn(textsOfDocument(JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))))).toEqual([]);
  });

  it('of the documentation are in plain words', () => {
    const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
    const folders = [...filesBelow('docs', /\.md$/), ...filesBelow('packages', /\.md$/)];
    expect(wrongIn([...pages, ...folders].flatMap(lines))).toEqual([]);
  });
});
