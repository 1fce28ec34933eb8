import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

export const projectDir = join(import.meta.dirname, '..');

const SHARED = ['package.json', 'package-lock.json'];

/** The build targets: their sources, outputs and commands. */
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
    'scripts/event-catalog.mjs',
    'scripts/build-web.mjs',
    ...SHARED,
  ],
  stamp: 'dist/.built-web',
  entry: 'dist/apps/web/sign-in.html',
  workspace: { folder: 'apps/web', installed: 'node_modules/vite' },
  // Renamed after the build, so that an incomplete build is never served.
  renamed: ['dist/apps/web-unfinished', 'dist/apps/web'],
  // Generates one of the sources.
  before: ['scripts/event-catalog.mjs'],
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
  // Renamed after the build, so that an incomplete build is never served.
  renamed: ['dist/docs-unfinished', 'dist/docs'],
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

/** Builds the server if the output is absent or older than the sources. Exits with the exit code of the compiler if the build fails. */
export function buildIfStale() {
  if (isStale(SERVER)) build(SERVER);
}

export function buildWebIfStale() {
  if (isStale(WEB)) build(WEB);
}

export function buildDocsIfStale() {
  if (isStale(DOCS)) build(DOCS);
}

/** Starts a build of the web pages and the guide if one of them is stale. Does not wait for the build. Returns its process. */
export function buildPagesInBackground() {
  if (!isStale(WEB) && !isStale(DOCS)) return undefined;
  const child = spawn(process.execPath, ['scripts/build.mjs', 'web', 'docs'], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 2],
  });
  child.once('spawn', () => setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL));
  child.unref();
  process.once('exit', () => child.kill());
  return child;
}

export function buildPackagesIfStale() {
  if (isStale(PACKAGES)) build(PACKAGES);
}

export function buildPythonPackageIfStale() {
  if (isStale(PYTHON_PACKAGE)) build(PYTHON_PACKAGE);
}

export function buildDocs() {
  build(DOCS);
}

export function buildAll() {
  build(SERVER);
  build(WEB);
  buildDocs();
}

function build({ name, stamp, workspace, before, command, renamed }) {
  if (!existsSync(join(projectDir, 'node_modules/rolldown'))) {
    console.error('The build tools are not installed. Run "npm install" first.');
    process.exit(1);
  }
  console.error(`Building ${name} ...`);
  const start = performance.now();
  if (workspace && !existsSync(join(projectDir, workspace.installed))) run('npm', installOf(workspace.folder));
  if (before) run(process.execPath, before);
  // The stamp has the start time of the build, so an edit during the build makes the build stale.
  const startedAt = new Date();
  run(process.execPath, command);
  if (renamed) {
    const [unfinished, finished] = renamed.map((path) => join(projectDir, path));
    rmSync(finished, { recursive: true, force: true });
    renameSync(unfinished, finished);
  }
  const stampPath = join(projectDir, stamp);
  mkdirSync(join(projectDir, 'dist'), { recursive: true });
  writeFileSync(stampPath, '');
  utimesSync(stampPath, startedAt, startedAt);
  console.error(`Built ${name} in ${Math.ceil((performance.now() - start) / 1_000)} s.`);
}

/**
 * Returns the npm command that installs a workspace. With `--no-save` it leaves package-lock.json as it is: npm rewrites the file even
 * without a change, and the other outputs would be stale.
 */
export function installOf(folder) {
  return ['install', '--no-save', '--workspaces', '--workspace', folder, '--include=dev', '--no-audit', '--no-fund'];
}

/** Runs a build tool and prints its output only if it fails. */
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

/** Returns whether a path changed after a time. Includes directories, because removed and renamed files change only their directory. */
function isNewer(path, timeMs) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (stats.mtimeMs > timeMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), timeMs));
}
