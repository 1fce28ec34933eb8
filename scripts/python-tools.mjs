import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from './build-if-stale.mjs';

const run = promisify(execFile);
const REQUIREMENTS = join(projectDir, 'packages/python/requirements.txt');
const CACHE = join(projectDir, '.cache/python');
const VERSION_CHECK = 'import sys; sys.exit(sys.version_info < (3, 11))';

/**
 * Returns the folder with the programs of a Python environment that has the packages of `packages/python/requirements.txt`.
 * Creates the environment when it is needed for the first time.
 * @throws Error when Python 3.11 is missing
 */
export async function pythonTools() {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  mkdirSync(CACHE, { recursive: true });
  // The programs contain their path, and a release links the cache into a copy of the project that it removes.
  const environment = join(realpathSync(CACHE), `tools-${hash}`);
  const programs = join(environment, 'bin');
  if (existsSync(join(programs, 'python'))) return programs;
  await run('python3', ['-c', VERSION_CHECK]).catch((cause) => {
    throw new Error('The Python package needs Python 3.11 or newer with venv. Install it as "python3".', { cause });
  });
  // Concurrent processes create separate environments. The link always points to a complete environment.
  const created = `${environment}-${process.pid}`;
  await run('python3', ['-m', 'venv', '--clear', created]);
  await run(join(created, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', REQUIREMENTS]);
  symlinkSync(created, `${created}.link`);
  renameSync(`${created}.link`, environment);
  return programs;
}
