import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonTools } from '../../../scripts/python-tools.mjs';
import { installProgram } from '../../support/apt-get.js';

export const ROOT = join(import.meta.dirname, '../../..');
/** The path is constant. mypy therefore reuses the results of earlier runs. */
export const FOLDER = join(ROOT, '.cache/python/test');
/** The Python interpreter of the environment with the package. */
export const PYTHON = join(FOLDER, 'venv/bin/python');
export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

export const run = promisify(execFile);

/** Installs the package in an environment without other files of this repository. */
export async function installPackage(): Promise<void> {
  await installProgram('python3-venv', ['python3', '-c', 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))']);
  const { stdout } = await run(process.execPath, ['scripts/packages-python.mjs'], { cwd: ROOT });
  const wheel = stdout.split('\n').find((path) => path.endsWith(`identity_service-${VERSION}-py3-none-any.whl`));
  if (wheel === undefined) throw new Error(`There is no wheel of version ${VERSION}: ${stdout}`);
  mkdirSync(FOLDER, { recursive: true });
  rmSync(join(FOLDER, 'venv'), { recursive: true, force: true });
  await run('python3', ['-m', 'venv', '--without-pip', join(FOLDER, 'venv')]);
  const pip = ['--python', PYTHON, 'install', '--quiet', '--no-compile', `${wheel}[dpop]`, 'flask==3.1.2'];
  await run(join(await pythonTools(), 'python'), ['-m', 'pip', ...pip]);
}
