import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { eventually } from './eventually.js';

const READY_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** The system user of the process. */
export interface Account {
  uid: number;
  gid: number;
}

/** The processes of a PostgreSQL server. Tests stop and restart the processes. */
export class PostgresProcess {
  constructor(
    readonly url: string,
    readonly clusterDir: string,
    readonly account: Account,
    private readonly program: string,
    /** The settings of the server without the folder and the port. */
    private readonly settings: readonly string[],
  ) {}

  static async of(url: string, clusterDir: string, account: Account): Promise<PostgresProcess> {
    const [program = '', ...words] = ps('args=', '-p', String(await postmasterIn(clusterDir))).split(/\s+/);
    const settings = words.filter((word) => word.includes('=') && !word.startsWith('port='));
    return new PostgresProcess(url, clusterDir, account, program, settings);
  }

  /** Returns a server with the settings of this server and a different folder and port. */
  like(clusterDir: string, port: number): PostgresProcess {
    const url = Object.assign(new URL(this.url), { port: String(port) }).href;
    return new PostgresProcess(url, clusterDir, this.account, this.program, this.settings);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async start(): Promise<void> {
    const settings = [...this.settings, `port=${this.port}`].flatMap((setting) => ['-c', setting]);
    const child = spawn(this.program, ['-D', this.clusterDir, ...settings], {
      ...this.account,
      stdio: 'ignore',
      detached: true,
      cwd: '/',
    });
    await once(child, 'spawn');
    child.unref();
    await this.waitUntilReady();
  }

  /** Stops the server. SIGQUIT stops the server immediately without a checkpoint. SIGINT stops the server gracefully and closes all connections. */
  async end(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    const pid = await postmasterIn(this.clusterDir).catch(() => undefined);
    if (pid === undefined) return;
    signalTo(pid, signal);
    while (isRunning(pid)) await sleep(10);
  }

  /** Kills all processes of the server with SIGKILL. */
  async kill(): Promise<void> {
    const pid = await postmasterIn(this.clusterDir);
    // The stopped postmaster starts no new processes.
    process.kill(pid, 'SIGSTOP');
    const all = [...childrenOf(pid), pid];
    for (const each of all) signalTo(each, 'SIGKILL');
    while (all.some(isRunning)) await sleep(10);
  }

  /** Stops the server without a checkpoint and restarts the server. The server recovers from its write-ahead log. */
  async crash(): Promise<void> {
    await this.end('SIGQUIT');
    await this.start();
  }

  /** Kills all processes of the server with SIGKILL and restarts the server. The server recovers from its write-ahead log. */
  async killAndRestart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Stops the server gracefully and restarts the server. */
  async restart(): Promise<void> {
    await this.end('SIGINT');
    await this.start();
  }

  /** Starts a stopped server and waits until the server accepts connections. */
  async recover(): Promise<void> {
    const pid = await postmasterIn(this.clusterDir).catch(() => undefined);
    if (pid !== undefined && isRunning(pid)) await this.waitUntilReady();
    else await this.start();
  }

  /** Pauses all processes of the server for `durationMs`. */
  async pause(durationMs: number): Promise<void> {
    const pid = await postmasterIn(this.clusterDir);
    process.kill(pid, 'SIGSTOP');
    // The paused postmaster starts no new processes.
    const children = childrenOf(pid);
    for (const child of children) signalTo(child, 'SIGSTOP');
    await sleep(durationMs);
    for (const each of [pid, ...children]) signalTo(each, 'SIGCONT');
  }

  /** Runs a query on a new connection. */
  async query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.connected(async (client) => (await client.query<Row>(sql, values)).rows);
  }

  /** Runs a function with a new connection and closes the connection. */
  async connected<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await use(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async waitUntilReady(): Promise<void> {
    const isReady = () =>
      this.query('SELECT 1').then(
        () => true,
        () => false,
      );
    await eventually(isReady, READY_TIMEOUT_MS, `the PostgreSQL in ${this.clusterDir} accepts connections`);
  }
}

async function postmasterIn(clusterDir: string): Promise<number> {
  return Number((await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
}

const ps = (columns: string, ...which: string[]): string =>
  execFileSync('ps', ['-o', columns, ...which], { encoding: 'utf8' }).trim();

const childrenOf = (pid: number): number[] =>
  ps('pid=,ppid=', '-e')
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends a signal to a process unless it has exited. */
function signalTo(pid: number, name: NodeJS.Signals): void {
  if (isRunning(pid)) process.kill(pid, name);
}
