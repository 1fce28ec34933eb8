import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../libs/database/src/embedded/index.js';

const ANSWER_LIMIT_MS = 60_000;

/** A PostgreSQL of a test's own, that may be killed and paused. */
export interface OwnPostgres {
  url: string;
  /** Ends it at once, without writing anything down, and starts it again on the same port: it recovers from its log. */
  crash(): Promise<void>;
  /** Stops all of its processes for some time, as a machine that hangs does. */
  pause(durationMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one with an empty database. What was committed survives a crash; only the machine's own may lose something. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'own-postgres-'));
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined });
  const pidFile = join(server.dataDir, 'postmaster.pid');
  const postmaster = async () => Number((await readFile(pidFile, 'utf8')).split('\n', 1)[0]);
  const [command = '', ...args] = ps('args=', '-p', String(await postmaster())).split(/\s+/);
  const { uid, gid } = await stat(server.dataDir);

  return {
    url: server.url,
    crash: async () => {
      const pid = await postmaster();
      process.kill(pid, 'SIGQUIT');
      while (isRunning(pid)) await sleep(10);
      const child = spawn(command, args, { uid, gid, stdio: 'ignore', detached: true, cwd: '/' });
      await once(child, 'spawn');
      child.unref();
      await answers(server.url);
    },
    pause: async (durationMs) => {
      const pid = await postmaster();
      process.kill(pid, 'SIGSTOP');
      // Once the first is stopped there are no new ones.
      const children = ps('pid=,ppid=', '-e')
        .split('\n')
        .map((line) => line.trim().split(/\s+/).map(Number))
        .filter(([, parent]) => parent === pid)
        .map(([child]) => child!);
      for (const child of children) signal(child, 'SIGSTOP');
      await sleep(durationMs);
      for (const each of [pid, ...children]) signal(each, 'SIGCONT');
    },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const ps = (columns: string, ...which: string[]): string =>
  execFileSync('ps', ['-o', columns, ...which], { encoding: 'utf8' }).trim();

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** One that has ended meanwhile needs none. */
function signal(pid: number, name: NodeJS.Signals): void {
  if (isRunning(pid)) process.kill(pid, name);
}

async function answers(url: string): Promise<void> {
  const deadline = performance.now() + ANSWER_LIMIT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
