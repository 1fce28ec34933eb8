import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const LOCK_FILE = '/tmp/identity-service-apt-get.flock';

/** A program that the tests require and npm does not install. */
export interface NeededProgram {
  readonly debianPackage: string;
  readonly homebrewPackage: string;
  /** The name of the program in error messages, for example `redis-server (>= 6.2)`. */
  readonly described: string;
  isThere(): boolean;
}

/**
 * Installs a missing program with apt-get. Requires root on Debian or a similar system.
 * @throws Error with the install command on other systems
 */
export async function installProgram(program: NeededProgram): Promise<void> {
  const { debianPackage, homebrewPackage, described } = program;
  if (program.isThere()) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    const command =
      process.platform === 'darwin' ? `brew install ${homebrewPackage}` : `sudo apt-get install -y ${debianPackage}`;
    throw new Error(`The tests need ${described}, which is not installed: run "${command}".`);
  }
  await aptGetInstall(debianPackage);
  if (!program.isThere()) throw new Error(`apt-get installed ${debianPackage}, but it does not run.`);
}

async function aptGetInstall(name: string): Promise<void> {
  const run = promisify(execFile);
  // RUNLEVEL=1 prevents the start of the system service. The tests start separate servers.
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }, maxBuffer: 64 * 1024 * 1024 };
  const command = `apt-get update && apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends ${name}`;
  try {
    // One installation at a time on the machine.
    await run('flock', [LOCK_FILE, 'sh', '-c', command], options);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    throw new Error(`The tests need ${name}, and "apt-get install ${name}" failed: ${said}`, { cause: error });
  }
}
