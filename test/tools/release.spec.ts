import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { missingInOutput } from '../packages/samples/shown-output.js';
import { installProgram } from '../support/apt-get.js';

const SCRIPT = join(import.meta.dirname, '../../scripts/release.mjs');
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything, in words of our own.\n';
/** Environment variables that make Git ignore the settings of the user. */
const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@x.example',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@x.example',
};

/** Returns an OpenAPI document with these operations. */
const openapi = (...names: string[]): object => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: Object.fromEntries(
    names.map((name) => [`/${name}`, { get: { operationId: name, responses: { 200: { description: 'Done.' } } } }]),
  ),
});

/** Each test releases a separate copy of a small project. */
describe('npm run release', () => {
  let copies: string;
  let unreleased: string;
  let released: string;
  /** The copy of the current test. */
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    await installProgram('git', ['git', '--version']);
    copies = mkdtempSync(join(tmpdir(), 'release-test-'));
    unreleased = folder = join(copies, 'unreleased');
    mkdirSync(folder);
    git('init', '-q', '-b', 'main');
    mkdirSync(join(folder, 'packages/client'), { recursive: true });
    write('.gitignore', 'dist/\n.cache/\n');
    write('package.json', `${JSON.stringify({ name: 'test', version: '0.1.0' }, null, 2)}\n`);
    write('package-lock.json', JSON.stringify({ name: 'test', version: '0.1.0', lockfileVersion: 3, packages: {} }));
    write('packages/client/package.json', `${JSON.stringify({ name: 'client', version: '0.1.0' }, null, 2)}\n`);
    write('CHANGELOG.md', CHANGELOG);
    write('README.md', 'npm install identity-service-{client,webhooks}-0.1.0.tgz identity-service-cli-0.1.0.tgz\n');
    write('openapi.json', JSON.stringify(openapi('users', 'roles')));
    commit('feat: everything');
    released = folder = copyOf(unreleased);
    expect(release()).toMatchObject({ status: 0, stderr: '' });
  });
  afterAll(() => rmSync(copies, { recursive: true }));

  const copyOf = (project: string): string => {
    const copy = join(copies, String(++count));
    cpSync(project, copy, { recursive: true });
    return copy;
  };

  const run = (program: string, parameters: string[], env = {}) =>
    spawnSync(program, parameters, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...GIT, ...env } });
  const git = (...parameters: string[]): string => {
    const { status, stdout, stderr } = run('git', parameters);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return stdout.trim();
  };
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const commit = (message: string): void => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', message);
  };
  /** The other artifacts need the whole project. */
  const release = (...parameters: string[]) => run(process.execPath, [SCRIPT, '--only', 'notes', ...parameters]);

  describe('the first release', () => {
    beforeEach(() => void (folder = copyOf(unreleased)));

    it('changes nothing in a dry run', () => {
      const before = git('rev-parse', 'HEAD');
      const { status, stdout, stderr } = release('--dry-run');
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('no release → v0.1.0\n\n### Added\n\n- Everything, in words of our own.\n');
      const shown = stdout.replace(/^\S+(?=\/dist\/release)/m, '/home/you/identity-service');
      expect(missingInOutput('docs/releasing.md', '--dry-run', shown)).toEqual([]);
      expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', '']);
      expect(readdirSync(join(folder, '.cache'))).toEqual([]);
      const digests = read('dist/release/v0.1.0/SHA256SUMS').trim().split('\n');
      expect(digests).toEqual([
        expect.stringMatching(/^[0-9a-f]{64} {2}notes\/v0\.1\.0\.md$/),
        expect.stringMatching(/^[0-9a-f]{64} {2}provenance\.intoto\.json$/),
      ]);
      expect(JSON.parse(read('dist/release/v0.1.0/provenance.intoto.json'))).toMatchObject({
        subject: [{ name: 'notes/v0.1.0.md', digest: { sha256: digests[0]!.slice(0, 64) } }],
        predicate: { buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: before } }, {}] } },
      });
    });

    it('says which artifacts were not made, and tags only a complete release', () => {
      const programs = join(copies, 'programs');
      mkdirSync(programs);
      for (const name of ['git', 'npm']) symlinkSync(run('which', [name]).stdout.trim(), join(programs, name));
      symlinkSync(process.execPath, join(programs, 'node'));
      const { status, stdout, stderr } = run(process.execPath, [SCRIPT, '--only', 'notes,go'], { PATH: programs });
      expect([status, stderr]).toEqual([1, expect.stringContaining('neither committed nor tagged')]);
      expect(stdout).toMatch(
        /^notes\/v0\.1\.0\.md +1 kB {2}ok: .*\n(.*\n)*go +not made: "go", "java", "mvn", "tar" are not installed$/m,
      );
      expect(git('tag')).toBe('');
    });

    it('rejects uncommitted changes', () => {
      write('new.txt', '');
      const { status, stderr } = release();
      expect([status, stderr]).toEqual([1, expect.stringContaining('new.txt')]);
      rmSync(join(folder, 'new.txt'));
    });

    it('uses the version of package.json', () => {
      expect(release()).toMatchObject({ status: 0, stderr: '' });
      expect(git('tag')).toBe('v0.1.0');
      expect(git('log', '-1', '--format=%s')).toBe('chore(release): v0.1.0');
      const today = new Date().toISOString().slice(0, 10);
      expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [0.1.0] - ${today}\n`));
    });
  });

  describe('a later release', () => {
    beforeEach(() => void (folder = copyOf(released)));

    it('requires a user-visible change', () => {
      commit('docs: a word');
      expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing to release') });
    });

    it('increases the patch version for a fix', () => {
      commit('fix(roles): names may have spaces');
      expect(release()).toMatchObject({ status: 0, stderr: '' });
      expect(git('tag', '--points-at', 'HEAD')).toBe('v0.1.1');
      expect(read('CHANGELOG.md')).toMatch(/\[0\.1\.1\] - \S+\n\n### Fixed\n\n- Names may have spaces\.\n\n## \[0\.1\.0\]/);
      for (const path of ['package.json', 'packages/client/package.json']) expect(JSON.parse(read(path)).version).toBe('0.1.1');
      expect(read('README.md')).toBe('npm install identity-service-{client,webhooks}-0.1.1.tgz identity-service-cli-0.1.1.tgz\n');
    });

    it('increases the minor version for an addition to the API', () => {
      write('openapi.json', JSON.stringify(openapi('users', 'roles', 'badges')));
      commit('fix: badges were forgotten');
      expect(release('--dry-run').stdout).toContain('v0.1.0 → v0.2.0');
    });

    it('rejects an undeclared breaking change of the API', () => {
      write('openapi.json', JSON.stringify(openapi('users')));
      commit('feat: simpler');
      const refused = release();
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/break clients of v0\.1\.0.*\n.*\/roles/)]);
      expect(git('tag', '--points-at', 'HEAD')).toBe('');
      commit('feat(api)!: roles are gone\n\nBREAKING CHANGE: use permissions.');
      expect(release()).toMatchObject({ status: 0, stderr: '' });
      expect(git('tag', '--points-at', 'HEAD')).toBe('v0.2.0');
      expect(read('CHANGELOG.md')).toContain('- **Breaking**: Roles are gone.');
    });

    it('increases the major version for a breaking change after 1.0.0', () => {
      git('tag', '-a', 'v1.0.0', '-m', 'v1.0.0');
      write('openapi.json', JSON.stringify(openapi('people')));
      commit('feat(api)!: users are people');
      expect(release('--dry-run').stdout).toContain('v1.0.0 → v2.0.0');
    });
  });
});
