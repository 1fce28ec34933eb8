import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The code of every problem that the sources can give, in alphabetical order. */
export function problemCodes(): string[] {
  const codes = [...sourcesOf('libs'), ...sourcesOf('apps')].flatMap((source) => [
    ...codesOfErrors(source),
    ...codesOfFilter(source),
  ]);
  return [...new Set(codes)].sort();
}

/** `readonly code = '…'` of a DomainError, and `<resource>_not_found` of ResourceNotFound. */
function codesOfErrors(source: string): string[] {
  const own = matches(source, /readonly code(?:: [^=;]+)? = '([a-z0-9_]+)'/g);
  const resources = /class ResourceNotFound[\s\S]*?resource:([\s\S]*?),\n/.exec(source)?.[1] ?? '';
  return [...own, ...matches(resources, /'([a-z_]+)'/g).map((resource) => `${resource}_not_found`)];
}

/** What the filter gives to failures that are no DomainError. */
const codesOfFilter = (source: string): string[] =>
  source.includes('class ProblemFilter') ? matches(source, /\bcode: '([a-z0-9_]+)'/g) : [];

const matches = (text: string, form: RegExp): string[] => [...text.matchAll(form)].map((match) => match[1]!);

const sourcesOf = (directory: string): string[] =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(ROOT, directory, file), 'utf8'));
