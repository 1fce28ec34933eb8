import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installProgram } from './apt-get.js';
import { findFreePort } from './free-port.js';

const VERSIONS = '/usr/lib/postgresql';

/** A PostgreSQL server with the programs that the embedded PostgreSQL lacks, such as `pg_dump`. */
export interface DebianPostgres {
  url: string;
  /** The folder of `pg_dump` and `pg_restore` in the version of the server. */
  binDir: string;
  stop(): void;
}

const newestBinDir = (): string => {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number).filter(Number.isFinite) : [];
  return join(VERSIONS, String(Math.max(0, ...versions)), 'bin');
};

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the system account of Debian's PostgreSQL. The server refuses to run as root. */
export function postgresAccount(): Account {
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Returns a function that runs a program of PostgreSQL with an account. The account can't read the home directory of root. */
export function postgresProgram(binDir: string, account: Account): (program: string, ...parameters: string[]) => void {
  return (program, ...parameters) => {
    const env = { PATH: process.env['PATH'] };
    execFileSync(join(binDir, program), parameters, { ...account, cwd: '/', env, stdio: 'ignore' });
  };
}

/** Installs PostgreSQL if necessary. Starts the newest version with an empty database `identity` and its owner. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  await installProgram({
    debianPackage: 'postgresql',
    homebrewPackage: 'postgresql',
    described: 'PostgreSQL with pg_dump and pg_restore',
    isThere: () => existsSync(join(newestBinDir(), 'pg_dump')) && existsSync(join(newestBinDir(), 'initdb')),
  });
  const binDir = newestBinDir();
  const dataDir = mkdtempSync(join(tmpdir(), 'debian-postgres-'));
  const account = postgresAccount();
  chownSync(dataDir, account.uid, account.gid);
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(dataDir, '..', `${dataDir.split('/').at(-1)}.password`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chownSync(passwordFile, account.uid, account.gid);
  const port = await findFreePort();
  const run = postgresProgram(binDir, account);
  run('initdb', '-D', join(dataDir, 'data'), '-U', 'identity', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8');
  rmSync(passwordFile);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=60`;
  run('pg_ctl', '-D', join(dataDir, 'data'), '-w', '-l', join(dataDir, 'log'), '-o', options, 'start');
  execFileSync(join(binDir, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'identity', 'identity'], {
    env: { ...process.env, PGPASSWORD: password },
  });
  return {
    url: `postgres://identity:${password}@127.0.0.1:${port}/identity`,
    binDir,
    stop: () => {
      run('pg_ctl', '-D', join(dataDir, 'data'), '-m', 'immediate', 'stop');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
