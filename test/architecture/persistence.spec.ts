import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
/** The library that uses the database driver. */
const DATABASE = 'libs/platform/database/';
/** Matches calls with SQL: `query(ctx, ROW, 'SELECT …')`, `dataSource.query('…')`, `execute(ctx, SQL)`. */
const SQL_CALL = /\.(?:query|execute|executeDeferred)(?:<[^;]*?>)?\(\s*(?:\w+,|['"`]|[A-Z_]+\b)/g;

const sources = ['libs', 'apps/server/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(ROOT, folder, path), 'utf8') })),
);
const ending = (suffix: string) => sources.filter(({ path }) => path.endsWith(suffix) && !path.startsWith(DATABASE));

describe('the persistence code', () => {
  it('contains SQL only in query files and migrations', () => {
    const others = sources.filter(({ path }) => !path.endsWith('.query.ts') && !path.startsWith(DATABASE));
    expect(others.length).toBeGreaterThan(400);
    expect(others.flatMap(({ path, text }) => [...text.matchAll(SQL_CALL)].map(([call]) => `${path}: ${call}`))).toEqual([]);
    expect(ending('.query.ts').some(({ text }) => text.match(SQL_CALL))).toBe(true);
  });
});
