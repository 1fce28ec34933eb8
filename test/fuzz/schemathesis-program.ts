import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installProgram } from '../support/apt-get.js';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CACHE = join(import.meta.dirname, '../../.cache');

/**
 * Returns the path of Schemathesis, installed from PyPI with the versions and hashes of requirements.txt.
 * @throws Error with the install command if Python is missing and the installation fails
 */
export async function schemathesisProgram(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(CACHE, `schemathesis-${digest}`);
  const program = join(folder, 'bin/schemathesis');
  if (existsSync(program)) return program;
  await installProgram({
    debianPackage: 'python3-venv',
    homebrewPackage: 'python',
    described: 'Python (>= 3.10) with venv',
    isThere: () => spawnSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status === 0,
  });
  const run = promisify(execFile);
  try {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--require-hashes', '-r', REQUIREMENTS]);
  } catch (error) {
    // Otherwise the next start would use an incomplete installation.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return program;
}
