import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Returns all error codes in the sources, in alphabetical order. */
export function problemCodes(): string[] {
  const codes = [...sourcesOf('libs'), ...sourcesOf('apps')].flatMap((source) => [
    ...codesOfErrors(source),
    ...codesOfFilter(source),
  ]);
  return [...new Set(codes)].sort();
}

/** Returns the `code` of each DomainError, and `<resource>_not_found` for each ResourceNotFound. */
const codesOfErrors = (source: string): string[] => [
  ...matches(source, /readonly code(?:: [^=;]+)? = '([a-z0-9_]+)'/g),
  ...matches(source, /new ResourceNotFound\(\s*'([a-z_]+)'/g).map((resource) => `${resource}_not_found`),
];

/** Returns the codes that ProblemFilter assigns to other errors than a DomainError. */
const codesOfFilter = (source: string): string[] =>
  source.includes('class ProblemFilter') ? matches(source, /\bcode: '([a-z0-9_]+)'/g) : [];

const matches = (text: string, form: RegExp): string[] => [...text.matchAll(form)].map((match) => match[1]!);

const sourcesOf = (directory: string): string[] =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(ROOT, directory, file), 'utf8'));
