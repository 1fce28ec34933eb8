import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectDir = join(import.meta.dirname, '..');

const SOURCES = ['apps', 'libs', 'ormconfig.ts', 'package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'];
const STAMP = join(projectDir, 'dist/.built');
const ENTRY = join(projectDir, 'dist/apps/server/src/main.js');

/** Builds when `dist` is absent or older than what it is made from. Ends the process with the compiler's exit code if that fails. */
export function buildIfStale() {
  if (!isStale()) return;
  console.error('Building (dist is absent or older than the sources) ...');
  // The stamp tells when the build began: what is edited while it runs makes it stale.
  const startedAt = new Date();
  const nest = join(projectDir, 'node_modules/@nestjs/cli/bin/nest.js');
  if (!existsSync(nest)) {
    console.error('The build tools are not installed: run "npm install" first (with development dependencies).');
    process.exit(1);
  }
  const { status } = spawnSync(process.execPath, [nest, 'build', 'server'], { cwd: projectDir, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(join(projectDir, 'dist'), { recursive: true });
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
}

function isStale() {
  if (!existsSync(ENTRY) || !existsSync(STAMP)) return true;
  const builtMs = statSync(STAMP).mtimeMs;
  return SOURCES.some((name) => isNewer(join(projectDir, name), builtMs));
}

/** Directories count too: theirs is the time of what was removed or renamed. */
function isNewer(path, timeMs) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (stats.mtimeMs > timeMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), timeMs));
}
