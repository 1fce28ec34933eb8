import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

export const projectDir = join(import.meta.dirname, '..');

const SHARED = ['package.json', 'package-lock.json'];

/** What is built, from what, and how. */
const SERVER = {
  name: 'the server',
  sources: ['apps/server', 'libs', 'ormconfig.ts', 'scripts/bundle-server.mjs', 'tsconfig.json', ...SHARED],
  stamp: 'dist/.built-server',
  entry: 'dist/server/main.js',
  command: ['scripts/bundle-server.mjs'],
};
const WEB = {
  name: 'the web pages',
  sources: ['apps/web', 'openapi.json', 'scripts/web-client.mjs', 'scripts/build-web.mjs', ...SHARED],
  stamp: 'dist/.built-web',
  entry: 'dist/apps/web/sign-in.html',
  // Its result counts as a source.
  before: ['scripts/web-client.mjs'],
  command: ['scripts/build-web.mjs'],
};
const DOCS = {
  name: 'the guide',
  sources: [
    'docs',
    ...['config.mjs', 'navigation.mjs', 'nothing-inline.mjs', 'markdown', 'theme'].map((name) => `apps/docs/.vitepress/${name}`),
    ...['README', 'CHANGELOG', 'SECURITY', 'ARCHITECTURE', 'CONTRIBUTING'].map((name) => `${name}.md`),
    ...['client', 'webhooks', 'cli'].map((name) => `packages/${name}/README.md`),
    ...SHARED,
  ],
  stamp: 'dist/.built-docs',
  entry: 'dist/docs/index.html',
  // Served only once all of it is there.
  whole: ['dist/docs-unfinished', 'dist/docs'],
  command: ['node_modules/vitepress/bin/vitepress.js', 'build', 'apps/docs'],
};
const PACKAGES = {
  name: 'the packages',
  sources: [
    ...['client', 'webhooks', 'cli'].flatMap((name) =>
      ['src', 'package.json', 'tsconfig.json'].map((part) => `packages/${name}/${part}`),
    ),
    'packages/tsconfig.base.json',
    'openapi.json',
    'scripts/package-sources.mjs',
    'scripts/build-packages.mjs',
    ...SHARED,
  ],
  stamp: 'dist/.built-packages',
  entry: 'packages/cli/dist/identity-service.js',
  before: ['scripts/package-sources.mjs'],
  command: ['scripts/build-packages.mjs'],
};

/** Builds the server when it is absent or older than what it is made from. Ends the process with the compiler's exit code if that fails. */
export function buildIfStale() {
  if (isStale(SERVER)) build(SERVER);
}

/** The same for the web pages. */
export function buildWebIfStale() {
  if (isStale(WEB)) build(WEB);
}

/** The same for the pages of `docs/`. */
export function buildDocsIfStale() {
  if (isStale(DOCS)) build(DOCS);
}

/** The same beside whatever this process does, giving way to it: a start does not wait for the guide. */
export function buildDocsMeanwhileIfStale() {
  if (!isStale(DOCS)) return;
  const child = spawn(process.execPath, ['scripts/docs.mjs'], { cwd: projectDir, stdio: ['ignore', 'ignore', 2] });
  child.once('spawn', () => setPriority(child.pid, constants.priority.PRIORITY_LOW));
  child.unref();
  process.once('exit', () => child.kill());
}

/** The same for the packages for other people's programs. */
export function buildPackagesIfStale() {
  if (isStale(PACKAGES)) build(PACKAGES);
}

/** Builds the pages of `docs/`, whatever stands. */
export function buildDocs() {
  build(DOCS);
}

/** Builds what is served, whatever stands. */
export function buildAll() {
  build(SERVER);
  build(WEB);
  buildDocs();
}

function build({ name, stamp, before, command, whole }) {
  console.error(`Building ${name} ...`);
  if (!existsSync(join(projectDir, 'node_modules/rolldown'))) {
    console.error('The build tools are not installed. Run "npm install" with development dependencies first.');
    process.exit(1);
  }
  if (before) run(before);
  // The stamp tells when the build began: what is edited while it runs makes it stale.
  const startedAt = new Date();
  run(command);
  if (whole) {
    const [unfinished, finished] = whole.map((path) => join(projectDir, path));
    rmSync(finished, { recursive: true, force: true });
    renameSync(unfinished, finished);
  }
  const stampPath = join(projectDir, stamp);
  mkdirSync(join(projectDir, 'dist'), { recursive: true });
  writeFileSync(stampPath, '');
  utimesSync(stampPath, startedAt, startedAt);
}

function run(command) {
  // Jest sets NODE_ENV to "test", which would build the pages with the development version of React.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, command, { cwd: projectDir, stdio: ['ignore', 2, 2], env });
  if (status !== 0) process.exit(status ?? 1);
}

function isStale({ sources, stamp, entry }) {
  const stampPath = join(projectDir, stamp);
  if (!existsSync(join(projectDir, entry)) || !existsSync(stampPath)) return true;
  const builtMs = statSync(stampPath).mtimeMs;
  return sources.some((name) => isNewer(join(projectDir, name), builtMs));
}

/** Directories count too: theirs is the time of what was removed or renamed. */
function isNewer(path, timeMs) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (stats.mtimeMs > timeMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), timeMs));
}
