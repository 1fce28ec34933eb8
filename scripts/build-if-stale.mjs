import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

export const projectDir = join(import.meta.dirname, '..');

const SHARED = ['package.json', 'package-lock.json'];

/** What is built, from what, and how. */
const SERVER = {
  name: 'the server',
  sources: ['apps/server', 'libs', 'ormconfig.ts', 'tsconfig.json', ...SHARED],
  stamp: 'dist/.built-server',
  entry: 'dist/server/main.js',
  command: ['node_modules/rolldown/bin/cli.mjs', '--config', 'apps/server/rolldown.config.mjs'],
};
const WEB = {
  name: 'the web pages',
  sources: [
    'apps/web',
    'openapi.json',
    'scripts/api-document.mjs',
    'scripts/event-catalogue.mjs',
    'scripts/build-web.mjs',
    ...SHARED,
  ],
  stamp: 'dist/.built-web',
  entry: 'dist/apps/web/sign-in.html',
  workspace: { folder: 'apps/web', installed: 'node_modules/vite' },
  // Served only once all of it is there.
  whole: ['dist/apps/web-unfinished', 'dist/apps/web'],
  // Its result counts as a source.
  before: ['scripts/event-catalogue.mjs'],
  command: ['scripts/build-web.mjs'],
};
const DOCS = {
  name: 'the guide',
  sources: [
    'docs',
    ...['config.mjs', 'navigation.mjs', 'external-scripts.mjs', 'markdown', 'theme'].map(
      (name) => `apps/docs/.vitepress/${name}`,
    ),
    ...['README', 'CHANGELOG', 'SECURITY', 'ARCHITECTURE', 'CONTRIBUTING'].map((name) => `${name}.md`),
    ...['client', 'webhooks', 'cli', 'python', 'go'].map((name) => `packages/${name}/README.md`),
    ...SHARED,
  ],
  stamp: 'dist/.built-docs',
  entry: 'dist/docs/index.html',
  workspace: { folder: 'apps/docs', installed: 'node_modules/vitepress' },
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
    'scripts/api-document.mjs',
    'scripts/package-sources.mjs',
    'scripts/build-packages.mjs',
    ...SHARED,
  ],
  stamp: 'dist/.built-packages',
  entry: 'packages/cli/dist/identity-service.js',
  workspace: { folder: 'tools', installed: 'node_modules/openapi-typescript' },
  before: ['scripts/package-sources.mjs'],
  command: ['scripts/build-packages.mjs'],
};
const PYTHON_PACKAGE = {
  name: 'the Python package',
  sources: [
    'packages/python',
    'packages/webhooks/examples/python',
    'openapi.json',
    'scripts/build-python-package.mjs',
    'scripts/python-tools.mjs',
    'package.json',
  ],
  stamp: 'dist/.built-python-package',
  entry: 'dist/python-package/src/identity_service/_version.py',
  command: ['scripts/build-python-package.mjs'],
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

/** Builds the web pages and the guide where they are stale, beside whatever this process does: a start does not wait for them. */
export function buildPagesMeanwhile() {
  if (!isStale(WEB) && !isStale(DOCS)) return;
  const child = spawn(process.execPath, ['scripts/build.mjs', 'web', 'docs'], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 2],
  });
  child.once('spawn', () => setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL));
  child.unref();
  process.once('exit', () => child.kill());
}

/** The same for the packages for other people's programs. */
export function buildPackagesIfStale() {
  if (isStale(PACKAGES)) build(PACKAGES);
}

/** The same for the Python package. */
export function buildPythonPackageIfStale() {
  if (isStale(PYTHON_PACKAGE)) build(PYTHON_PACKAGE);
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

function build({ name, stamp, workspace, before, command, whole }) {
  if (!existsSync(join(projectDir, 'node_modules/rolldown'))) {
    console.error('The build tools are not installed. Run "npm install" first.');
    process.exit(1);
  }
  console.error(`Building ${name} ...`);
  const start = performance.now();
  if (workspace && !existsSync(join(projectDir, workspace.installed)))
    run('npm', ['install', '--workspaces', '--workspace', workspace.folder, '--include=dev', '--no-audit', '--no-fund']);
  if (before) run(process.execPath, before);
  // The stamp tells when the build began: what is edited while it runs makes it stale.
  const startedAt = new Date();
  run(process.execPath, command);
  if (whole) {
    const [unfinished, finished] = whole.map((path) => join(projectDir, path));
    rmSync(finished, { recursive: true, force: true });
    renameSync(unfinished, finished);
  }
  const stampPath = join(projectDir, stamp);
  mkdirSync(join(projectDir, 'dist'), { recursive: true });
  writeFileSync(stampPath, '');
  utimesSync(stampPath, startedAt, startedAt);
  console.error(`Built ${name} in ${Math.ceil((performance.now() - start) / 1_000)} s.`);
}

/** Runs a build tool, whose output matters only if it fails. */
function run(program, parameters) {
  // Jest sets NODE_ENV to "test", which would build the pages with the development version of React.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, output } = spawnSync(program, parameters, { cwd: projectDir, env, encoding: 'utf8' });
  if (status === 0) return;
  console.error(output.join(''));
  process.exit(status ?? 1);
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
