import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALLOWED,
  FIXED_NAMES,
  identifiersOf,
  NAMES_NOT_USED,
  NOT_USED,
  phraseOf,
  textsOfSource,
  type Replacement,
} from './plain-words.js';

const ROOT = join(import.meta.dirname, '../..');

/** Folders whose code is checked: comments, docstrings, test titles and identifiers. */
const CODE = ['apps', 'bench', 'examples', 'libs', 'packages', 'scripts', 'test'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns text without inline code and without quoted test titles. */
const prose = (line: string): string => line.replaceAll(/\[[^\]]*\]\([^)]*\.spec\.ts[^)]*\)|`[^`]*`/g, '');

function filesBelow(folder: string, ending: RegExp): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => ending.test(name) && !/node_modules|\bdist\b/.test(name)).map((name) => join(folder, name));
}

/** Returns the path and text of each description, summary and title in the document. */
function textsOfDocument(value: unknown, at = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    typeof inner === 'string' && ['description', 'summary', 'title'].includes(name)
      ? [[`openapi.json${at}/${name}`, inner]]
      : textsOfDocument(inner, `${at}/${name}`),
  );
}

const lines = (path: string): [string, string][] =>
  read(path)
    .split('\n')
    .map((line, index) => [`${path}:${index + 1}`, prose(line)]);

function findingsIn(texts: readonly [where: string, text: string][], replacements: readonly Replacement[] = NOT_USED): string[] {
  return texts.flatMap(([where, text]) =>
    replacements.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined || ALLOWED.some((allowed) => allowed.test(text)) ? [] : [`${where}: "${found}" (${instead})`];
    }),
  );
}

describe('the product', () => {
  it('uses plain words in pages and emails', () => {
    const files = ['apps/web/src/texts/en.json', 'apps/web/src/texts/sign-in/en.json', 'libs/platform/mail/src/texts/en.json'];
    const messages = files.flatMap((path) => Object.entries(JSON.parse(read(path)) as Record<string, string>));
    expect(findingsIn(messages)).toEqual([]);
  });

  it('uses plain words in the OpenAPI document', () => {
    expect(findingsIn(textsOfDocument(JSON.parse(read('openapi.json'))))).toEqual([]);
  });

  it('uses plain words in the documentation', () => {
    const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
    const folders = [...filesBelow('docs', /\.md$/), ...filesBelow('packages', /\.md$/)];
    expect(findingsIn([...pages, ...folders].flatMap(lines))).toEqual([]);
  });
});

describe.each(CODE)('the code in %s', (folder) => {
  // plain-words.ts lists the words that texts must not contain.
  const files = filesBelow(folder, /\.(?:go|m?[jt]s|py|tsx|ts\.txt)$/).filter((path) => !/plain-words|\.gen\./.test(path));

  it('uses plain words in comments and test titles', () => {
    const texts = files.flatMap((path) => textsOfSource(path, read(path)));
    expect(findingsIn(texts.map(([where, text]) => [where, prose(text)]))).toEqual([]);
  });

  it('uses plain words in names', () => {
    const names = files.flatMap((path) => identifiersOf(path, read(path))).filter(([, name]) => !FIXED_NAMES.has(name));
    expect(findingsIn(names, NAMES_NOT_USED)).toEqual([]);
    expect(findingsIn(names.map(([where, name]) => [where, phraseOf(name)]))).toEqual([]);
  });
});
