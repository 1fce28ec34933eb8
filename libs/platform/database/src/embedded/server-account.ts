import { spawn } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** The system user that PostgreSQL runs as, when that is not the user of this process. */
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
 * What PostgreSQL's programs get to see of our environment: not the service's secrets, and no PG* or NODE_* variable that
 * would change what they do.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program to its end, as the account when one is given. Rejects only when it can't be started (ENOENT, EACCES, EPERM). */
export function runAs(account: ServerAccount | undefined, command: string, parameters: string[]): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    // "/" because the directory we stand in may be closed to that account.
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
 * PostgreSQL refuses to run as root: then a cluster that is there already keeps its owner, and a new one belongs to the
 * system user `postgres`, who is created if missing. Not root: undefined, no change of user.
 * @throws EmbeddedPostgresError when that user can't be had.
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

/** useradd is what most Linux systems have, adduser what those on BusyBox have; a failure shows in the user's absence. */
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
