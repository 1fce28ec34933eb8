import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installProgram } from './apt-get.js';
import { findFreePort } from './free-port.js';
import type { Account } from './postgres-process.js';

const VERSIONS = '/usr/lib/postgresql';

/** A PostgreSQL server with the programs that the embedded PostgreSQL lacks, such as `pg_dump`. */
export interface DebianPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logFile: string;
  /** The folder of `pg_dump` and `pg_restore` in the version of the server. */
  readonly binDir: string;
  stop(): void;
}

const newestBinDir = (): string => {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number).filter(Number.isFinite) : [];
  return join(VERSIONS, String(Math.max(0, ...versions)), 'bin');
};

/** Returns the system account of Debian's PostgreSQL. The server refuses to run as root. */
export function postgresAccount(): Account {
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Installs PostgreSQL if necessary. Starts the newest version with an empty database. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  await installProgram('postgresql', () => ['pg_dump', 'initdb'].every((name) => existsSync(join(newestBinDir(), name))));
  const folder = mkdtempSync(join(tmpdir(), 'debian-postgres-'));
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', max_connections: '60' };
  const server = await startServer(newestBinDir(), folder, settings);
  return {
    ...server,
    stop: () => {
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates and starts a server in a folder, as the system account of Debian's PostgreSQL. */
export async function startServer(
  binDir: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<DebianPostgres> {
  const account = postgresAccount();
  // The account can't read the home directory of root.
  const run = (program: string, ...parameters: string[]): void => {
    execFileSync(join(binDir, program), parameters, {
      ...account,
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      stdio: 'ignore',
    });
  };
  const [dataDir, logFile] = [join(folder, 'data'), join(folder, 'log')];
  mkdirSync(folder, { recursive: true });
  chownSync(folder, account.uid, account.gid);
  const port = await findFreePort();
  run('initdb', '-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync');
  const lines = Object.entries({ ...settings, port: String(port) }).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(dataDir, 'postgresql.auto.conf'), lines.join(''));
  run('pg_ctl', '-D', dataDir, '-w', '-l', logFile, 'start');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { url, port, dataDir, logFile, binDir, stop: () => run('pg_ctl', '-D', dataDir, '-m', 'immediate', 'stop') };
}
