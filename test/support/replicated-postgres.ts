import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from './eventually.js';
import { findFreePort } from './free-port.js';
import { startOwnPostgres } from './own-postgres.js';
import type { PostgresProcess } from './postgres-process.js';
import { TcpProxy } from './tcp-proxy.js';

const STANDBY = 'standby';
const STREAMING_TIMEOUT_MS = 60_000;
/** Files that a standby creates itself or gets by replication. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'pg_wal/*', 'pg_replslot/*', 'pg_stat_tmp/*'];

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

/**
 * Starts an empty primary and a standby. Every commit waits for the standby. With `lagMs`, commits do not wait, and the standby applies commits after
 * this delay.
 */
export async function startReplicatedPostgres(lagMs?: number) {
  const own = await startOwnPostgres({ settings: { wal_keep_size: '1GB' } });
  const folder = await mkdtemp(join(tmpdir(), 'replicated-postgres-'));
  await chmod(folder, 0o755);
  let primary = own.server;
  let standby = own.server.like(join(folder, 'second'), await findFreePort());
  let standbyReady = createStandby(standby, primary, lagMs);
  await standbyReady;
  const proxy = await TcpProxy.start(primary.port);
  return {
    /** The URL of a proxy to the current primary. */
    url: proxy.through(own.url),
    /** The current standby. A failover replaces the standby. */
    get standby() {
      return standby;
    },
    /** Kills the primary and promotes the standby. Creates a new standby in the background. */
    failOver: async (): Promise<void> => {
      await standbyReady;
      await primary.end('SIGQUIT');
      proxy.redirectTo(undefined);
      await standby.query('SELECT pg_promote(true)');
      proxy.redirectTo(standby.port);
      [primary, standby] = [standby, primary];
      standbyReady = createStandby(standby, primary, lagMs);
      // The next call that awaits `standbyReady` throws the error.
      standbyReady.catch(() => undefined);
    },
    /** Kills the standby, and restarts the standby after `durationMs`. The primary confirms no commit without the standby. */
    loseStandby: async (durationMs: number): Promise<void> => {
      await standbyReady;
      await standby.end('SIGQUIT');
      await sleep(durationMs);
      await standby.start();
      await waitForStreaming(primary);
    },
    stop: async () => {
      await standbyReady.catch(() => undefined);
      await proxy.stop();
      await Promise.all([primary, standby].map((server) => server.end('SIGQUIT')));
      await own.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a standby of a running primary in an empty folder, and waits until replication runs. */
async function createStandby(standby: PostgresProcess, primary: PostgresProcess, lagMs: number | undefined): Promise<void> {
  const { clusterDir, account } = standby;
  await rm(clusterDir, { recursive: true, force: true });
  await mkdir(clusterDir, { mode: 0o700 });
  await primary.connected(async (client) => {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await copyCluster(primary.clusterDir, clusterDir);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(clusterDir, 'backup_label'), rows[0]!.labelfile);
  });
  const { port, username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${STANDBY}`;
  await appendFile(
    join(clusterDir, 'postgresql.auto.conf'),
    `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\nrecovery_min_apply_delay = ${lagMs ?? 0}\n`,
  );
  await writeFile(join(clusterDir, 'standby.signal'), '');
  for (const file of ['backup_label', 'standby.signal']) await chown(join(clusterDir, file), account.uid, account.gid);
  await chown(clusterDir, account.uid, account.gid);
  await standby.start();
  await waitForStreaming(primary);
  if (lagMs !== undefined) return;
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
  await primary.query('SELECT pg_reload_conf()');
  await waitForStreaming(primary, 'sync');
}

/** Copies the data of a running server. Recovery repairs files that the server changes or deletes during the copy. */
async function copyCluster(from: string, to: string): Promise<void> {
  const exclude = NOT_COPIED.map((path) => `--exclude='./${path}'`).join(' ');
  const copy = `{ tar -C "$0" ${exclude} -cf - . || [ $? -eq 1 ]; } 2>/dev/null | tar -C "$1" -xpf -`;
  await promisify(execFile)('sh', ['-c', copy, from, to]);
}

async function waitForStreaming(primary: PostgresProcess, state: 'sync' | 'any' = 'any'): Promise<void> {
  const asked = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND ($1 = 'any' OR sync_state = $1)`;
  const isStreaming = async (): Promise<boolean> => (await primary.query(asked, [state])).length > 0;
  await eventually(isStreaming, STREAMING_TIMEOUT_MS, `a standby follows the PostgreSQL in ${primary.clusterDir}`);
}
