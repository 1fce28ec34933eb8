import { spawn } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** The system user that runs PostgreSQL, if different from the user of this process. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Returns the environment variables for PostgreSQL's programs. Excludes the service's secrets. Also excludes PG* and NODE_* variables,
 * which would change the programs' behavior.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program, optionally as another user, until the program exits. @throws if the program can't be started (ENOENT, EACCES, EPERM) */
export function runAs(account: ServerAccount | undefined, command: string, parameters: string[]): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    // The account may not have access to the current directory.
    const child = spawn(command, parameters, {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/**
 * Returns the user that runs PostgreSQL, because PostgreSQL rejects root. Returns the owner of an existing cluster. Otherwise returns the
 * system user `postgres`, which is created if missing. Returns undefined if this process is not root.
 * @throws EmbeddedPostgresError if the user can't be created
 */
export async function chooseServerAccount(clusterDir: string): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const cluster = await lstat(`${clusterDir}/PG_VERSION`).catch(() => undefined);
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };

  const account = (await findPostgresUser()) ?? (await createPostgresUser());
  if (account) return account;
  throw new EmbeddedPostgresError(
    'PostgreSQL can\'t run as root, and the system user "postgres" could not be created. ' +
      'Run "useradd --system postgres", start the service as another user, or set DATABASE_URL.',
  );
}

async function findPostgresUser(): Promise<ServerAccount | undefined> {
  const [uid, gid] = await Promise.all([runAs(undefined, 'id', ['-u', 'postgres']), runAs(undefined, 'id', ['-g', 'postgres'])]);
  return uid.exitCode === 0 && gid.exitCode === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined;
}

/** Creates the user with `useradd`, or with `adduser` on systems with BusyBox. Returns undefined if both programs fail. */
async function createPostgresUser(): Promise<ServerAccount | undefined> {
  const nologin = '/usr/sbin/nologin';
  const created = await runAs(undefined, 'useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    nologin,
    'postgres',
  ]).catch(() => undefined);
  if (created?.exitCode !== 0)
    await runAs(undefined, 'adduser', ['-S', '-D', '-H', '-s', nologin, 'postgres']).catch(() => undefined);
  return findPostgresUser();
}
