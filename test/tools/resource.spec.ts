import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', '.data', 'images']);
/** The generated documents. Only `npm run test:resource` checks the documents, because the generation is slow. */
const DOCUMENTS = [
  'docs/access-matrix.md',
  'docs/events.md',
  'docs/reference/errors.md',
  'docs/reference/libraries.svg',
  'docs/reference/permissions.md',
  'openapi.json',
];

/** The files that `add:resource` changes, except the generated documents. */
const EDITED = [
  '.dependency-cruiser.mjs',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'apps/server/src/server.module.ts',
  'libs/platform/database/src/migrations/index.ts',
];

/** A part of `npm run test:resource`. That command also checks the types, and runs all contract tests and the tests of the resource. */
describe('the resource generator', () => {
  let copy: string;
  let before: Map<string, string>;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'resource-test-'));
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    before = contents();
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const contents = (): Map<string, string> => {
    const files = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(copy.length + 1));
    const own = paths.filter((path) => !/^(?:node_modules|\.cache)\//.test(path)).toSorted();
    return new Map(own.map((path) => [path, createHash('sha256').update(read(path)).digest('hex')]));
  };
  const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
  const run = (...parameters: string[]) => spawnSync(process.execPath, parameters, { cwd: copy, encoding: 'utf8' });
  const changed = (): string[] => {
    const after = contents();
    return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted();
  };

  it('rejects a malformed or existing name', () => {
    const kept = changed();
    for (const name of ['Badges', 'badge_s', 'fish', '']) expect(run('scripts/resource.mjs', 'add', name).status).toBe(1);
    const taken = run('scripts/resource.mjs', 'add', 'roles', '--prefix', 'rol');
    expect([taken.status, taken.stderr]).toEqual([1, 'libs/directory/roles/src/index.ts already exists.\n']);
    const prefix = run('scripts/resource.mjs', 'add', 'badges', '--prefix', 'usr');
    expect([prefix.status, prefix.stderr]).toEqual([1, expect.stringContaining('"usr_"')]);
    expect(run('scripts/resource.mjs', 'remove', 'roles').status).toBe(1);
    expect(run('scripts/resource.mjs', 'remove', 'badges').stderr).toBe('libs/directory/badges does not exist.\n');
    expect(changed()).toEqual(kept);
  });

  it('adds at most 15 files', () => {
    const added = run('scripts/resource.mjs', 'add', 'access-badges');
    expect([added.status, added.stderr]).toEqual([0, '']);
    const document = JSON.parse(read('openapi.json'));
    expect(Object.keys(document.paths['/v1/organizations/{org}/access-badges'])).toEqual(['get', 'post']);
    expect(document.components.schemas.AccessBadgeResponse.properties.id.example).toMatch(/^ab_/);
    expect(read('docs/access-matrix.md')).toContain(
      '`DELETE /v1/organizations/{org}/access-badges/{id}` | `access_badges:write`',
    );
    expect(read('docs/events.md')).toContain('An access badge was updated.');
    const paths = changed().filter((path) => !DOCUMENTS.includes(path));
    const own = paths.filter((path) => !before.has(path));
    expect(own.length).toBeLessThanOrEqual(15);
    expect(own).toContain('libs/directory/access-badges/src/access-badges.service.ts');
    expect(paths.filter((path) => before.has(path))).toEqual(EDITED);
    expect(EDITED.length).toBeLessThanOrEqual(6);
    const sources = paths.filter((path) => path.endsWith('.ts'));
    const formatted = run('node_modules/oxfmt/bin/oxfmt', '--check', ...sources);
    expect([formatted.status, formatted.stderr]).toEqual([0, '']);
    const linted = run('node_modules/oxlint/bin/oxlint', '--disable-nested-config', '--deny-warnings');
    expect([linted.status, linted.stdout]).toEqual([0, expect.stringContaining('Found 0 warnings and 0 errors')]);

    expect(inTheSources('removeResource', 'access-badges')).toMatchObject({ status: 0, stderr: '' });
    expect(changed()).toEqual(DOCUMENTS);
  });

  /** Runs an action without an update of the generated documents. */
  const inTheSources = (action: 'addResource' | 'removeResource', name: string) =>
    run(
      '--input-type=module',
      '-e',
      `const files = await import('./scripts/resource/files.mjs');
      const { namesOf } = await import('./scripts/resource/names.mjs');
      await files.${action}(process.cwd(), namesOf('${name}'));`,
    );

  it.each(['badges', 'zoos', 'certification-authorities'])('adds and removes %s', (name) => {
    const kept = changed();
    expect(inTheSources('addResource', name)).toMatchObject({ status: 0, stderr: '' });
    expect(changed().length).toBeGreaterThan(15);
    expect(inTheSources('removeResource', name)).toMatchObject({ status: 0, stderr: '' });
    expect(changed()).toEqual(kept);
  });

  it('removes only the named resource', () => {
    const kept = changed();
    expect(inTheSources('addResource', 'access-badges')).toMatchObject({ status: 0, stderr: '' });
    const other = contents();
    expect(inTheSources('addResource', 'badges')).toMatchObject({ status: 0, stderr: '' });
    expect(inTheSources('removeResource', 'badges')).toMatchObject({ status: 0, stderr: '' });
    expect(contents()).toEqual(other);
    expect(inTheSources('removeResource', 'access-badges')).toMatchObject({ status: 0, stderr: '' });
    expect(changed()).toEqual(kept);
  });
});
