import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const LOCK_FILE = '/tmp/identity-service-apt-get.flock';

/**
 * Installs a program that the tests require and npm does not install, unless the check or the command succeeds. Requires root on Debian or a similar
 * system.
 * @throws Error with the name of the package on other systems
 */
export async function installProgram(debianPackage: string, check: readonly string[] | (() => boolean)): Promise<void> {
  const isThere = (): boolean =>
    typeof check === 'function' ? check() : spawnSync(check[0]!, check.slice(1), { stdio: 'ignore' }).status === 0;
  if (isThere()) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(
      `The tests need ${debianPackage}, which is not installed: run "sudo apt-get install -y ${debianPackage}", or install it as your system does.`,
    );
  await aptGetInstall(debianPackage);
  if (!isThere()) throw new Error(`apt-get installed ${debianPackage}, but it does not run.`);
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
