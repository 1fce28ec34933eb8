import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectCopy } from './project-copy.js';

/** The generated documents. Only `npm run test:resource` checks the documents, because the generation is slow. */
const DOCUMENTS = [
  'docs/access-matrix.md',
  'docs/events.md',
  'docs/reference/errors.md',
  'docs/reference/libraries.svg',
  'docs/reference/permissions.md',
  'docs/reference/webhook-formats.md',
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
  let copy: ProjectCopy;
  beforeAll(() => {
    copy = new ProjectCopy();
  });
  afterAll(() => copy.remove());

  const run = (...parameters: string[]) => copy.run(process.execPath, ...parameters);

  it('rejects a malformed or existing name', () => {
    const kept = copy.changed();
    for (const name of ['Badges', 'badge_s', 'fish', '']) expect(run('scripts/resource.mjs', 'add', name).status).toBe(1);
    const taken = run('scripts/resource.mjs', 'add', 'roles', '--prefix', 'rol');
    expect([taken.status, taken.stderr]).toEqual([1, 'libs/directory/roles/src/index.ts already exists.\n']);
    const prefix = run('scripts/resource.mjs', 'add', 'badges', '--prefix', 'usr');
    expect([prefix.status, prefix.stderr]).toEqual([1, expect.stringContaining('"usr_"')]);
    expect(run('scripts/resource.mjs', 'remove', 'roles').status).toBe(1);
    expect(run('scripts/resource.mjs', 'remove', 'badges').stderr).toBe('libs/directory/badges does not exist.\n');
    expect(copy.changed()).toEqual(kept);
  });

  it('adds at most 15 files', () => {
    const added = run('scripts/resource.mjs', 'add', 'access-badges');
    expect([added.status, added.stderr]).toEqual([0, '']);
    const document = JSON.parse(copy.read('openapi.json'));
    expect(Object.keys(document.paths['/v1/organizations/{org}/access-badges'])).toEqual(['get', 'post']);
    expect(document.components.schemas.AccessBadgeResponse.properties.id.example).toMatch(/^ab_/);
    expect(copy.read('docs/access-matrix.md')).toContain(
      '`DELETE /v1/organizations/{org}/access-badges/{id}` | `access_badges:write`',
    );
    expect(copy.read('docs/events.md')).toContain('An access badge was updated.');
    const paths = copy.changed().filter((path) => !DOCUMENTS.includes(path));
    const own = paths.filter((path) => !copy.before.has(path));
    expect(own.length).toBeLessThanOrEqual(15);
    expect(own).toContain('libs/directory/access-badges/src/access-badges.service.ts');
    expect(paths.filter((path) => copy.before.has(path))).toEqual(EDITED);
    expect(EDITED.length).toBeLessThanOrEqual(6);
    const sources = paths.filter((path) => path.endsWith('.ts'));
    const formatted = run('node_modules/oxfmt/bin/oxfmt', '--check', ...sources);
    expect([formatted.status, formatted.stderr]).toEqual([0, '']);
    const linted = run('node_modules/oxlint/bin/oxlint', '--disable-nested-config', '--deny-warnings');
    expect([linted.status, linted.stdout]).toEqual([0, expect.stringContaining('Found 0 warnings and 0 errors')]);

    expect(inTheSources('removeResource', 'access-badges')).toMatchObject({ status: 0, stderr: '' });
    expect(copy.changed()).toEqual(DOCUMENTS);
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

  it('removes only the named resource', () => {
    const kept = copy.changed();
    const change = (action: 'addResource' | 'removeResource', name: string) =>
      expect(inTheSources(action, name)).toMatchObject({ status: 0, stderr: '' });
    change('addResource', 'access-badges');
    const other = copy.contents();
    for (const name of ['badges', 'zoos', 'certification-authorities']) {
      change('addResource', name);
      change('removeResource', name);
      expect(copy.contents()).toEqual(other);
    }
    change('removeResource', 'access-badges');
    expect(copy.changed()).toEqual(kept);
  });
});
