import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { Quickstart } from '../samples/quickstart.js';
import { goFiles } from './snippets.js';

export const ROOT = join(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'packages/go/README.md'), 'utf8');
/** The folder is constant. Go therefore compiles only changes since the last run. */
export const FOLDER = join(ROOT, '.cache/go-client');
export const PROGRAM = join(FOLDER, 'program');
export const QUICKSTART = join(FOLDER, 'quickstart');
export const execute = promisify(execFile);

export const go = (folder: string, ...parameters: string[]) => execute('go', parameters, { cwd: folder, env: goEnvironment() });

const goEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  GOFLAGS: '-modcacherw',
  // Go remembers the files of a module version, but this version gets new files with each new model.
  GODEBUG: 'goindex=0',
  GOMODCACHE: join(FOLDER, 'modules'),
  GOTOOLCHAIN: 'local',
});

/** Creates a module with the test program and the code of the README. Installs the packed client as the README describes. */
export async function installModule(serviceUrl: string): Promise<void> {
  const packed = await execute(process.execPath, ['scripts/packages-go.mjs'], { cwd: ROOT });
  expect(packed.stdout.trim()).toMatch(/dist\/packages\/go\/identity-service\.internal\/identity\/@v\/v\d+\.\d+\.\d+\.zip$/);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(PROGRAM, { recursive: true });
  cpSync(import.meta.dirname, PROGRAM, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const [path, code] of goFiles(README)) {
    mkdirSync(dirname(join(PROGRAM, path)), { recursive: true });
    writeFileSync(join(PROGRAM, path), code.replaceAll('http://localhost:3000', serviceUrl));
  }
  await go(PROGRAM, 'mod', 'init', 'example.com/program');
  const [, install] = /^```sh\n([\s\S]*?)^```$/m.exec(README)!;
  const script = install!.replaceAll('/path/to/identity-service', ROOT);
  await execute('bash', ['-ec', script], { cwd: PROGRAM, env: goEnvironment() });
  await go(PROGRAM, 'build', '-o', `${FOLDER}/bin/`, './...');
}

/** Creates a module with the programs of the quickstart. */
export async function installQuickstart({ install, programs }: Quickstart): Promise<void> {
  mkdirSync(QUICKSTART);
  await execute('bash', ['-ec', install], { cwd: QUICKSTART, env: goEnvironment() });
  for (const [name, code] of Object.entries(programs)) {
    mkdirSync(join(QUICKSTART, name));
    writeFileSync(join(QUICKSTART, name, 'main.go'), code);
  }
  await go(QUICKSTART, 'build', '-o', `${FOLDER}/bin/`, './...');
}
