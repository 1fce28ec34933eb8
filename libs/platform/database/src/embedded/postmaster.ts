import { spawn } from 'node:child_process';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { processIdentity, worksInDirectory } from './process-identity.js';
import { serverEnvironment, type ServerAccount } from './server-account.js';

const POLL_MS = 25;
/** Maximum time of a start. After a crash, the server first replays its log. */
const START_TIMEOUT_MS = 300_000;
const FAST_SHUTDOWN_TIMEOUT_MS = 60_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 10_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export interface Postmaster {
  clusterDir: string;
  pid: number;
  port: number;
  status: string;
}

export interface PostmasterOptions {
  program: string;
  clusterDir: string;
  port: number;
  account: ServerAccount | undefined;
  settings: Readonly<Record<string, string>>;
  logFile: string;
}

/** Returns the running server of a cluster. Ignores a PID file if the process does not exist or is another program. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !worksInDirectory(pid, clusterDir)) return undefined;
  return { clusterDir, pid, port: Number(lines[3]), status: lines[7]?.trim() ?? 'starting' };
}

/**
 * Starts a server and waits until it accepts connections.
 * @throws EmbeddedPostgresError with the last error in the server's log if the server exits
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  await removeStalePidFile(options.clusterDir);
  await rotateLog(options.logFile);
  const logFrom = (await stat(options.logFile).catch(() => undefined))?.size ?? 0;
  const exit = await spawnDetached(options);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const postmaster = await findPostmaster(options.clusterDir);
    if (postmaster?.status === 'ready') return postmaster;
    if (exit.hasExited) {
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${await lastError(options.logFile, logFrom)}`, {
        cause: exit.error,
      });
    }
    await sleep(POLL_MS);
  }
  throw new EmbeddedPostgresError(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s: see ${options.logFile}`);
}

/** Waits until the server of a cluster has finished starting or stopping. Returns the running server, if any. */
export async function settledPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let postmaster = await findPostmaster(clusterDir);
  while (postmaster && postmaster.status !== 'ready' && Date.now() < deadline) {
    await sleep(POLL_MS);
    postmaster = await findPostmaster(clusterDir);
  }
  return postmaster;
}

/**
 * Stops the server (fast shutdown). If the fast shutdown takes too long, stops the server immediately; the next start recovers the data.
 */
export async function stopPostmaster(clusterDir: string): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', FAST_SHUTDOWN_TIMEOUT_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_TIMEOUT_MS],
  ] as const) {
    const postmaster = await findPostmaster(clusterDir);
    if (!postmaster) return;
    if (await signalAndWait(postmaster.pid, signal, timeoutMs)) return;
  }
  throw new EmbeddedPostgresError(`The PostgreSQL server in ${clusterDir} does not stop.`);
}

async function signalAndWait(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const identity = processIdentity(pid);
  if (identity === undefined) return true;
  try {
    process.kill(pid, signal);
  } catch {
    return processIdentity(pid) !== identity;
  }
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (processIdentity(pid) !== identity) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** PostgreSQL does not start while a process with the ID in the PID file exists, even if the process is another program. */
async function removeStalePidFile(clusterDir: string): Promise<void> {
  if (!(await findPostmaster(clusterDir))) await rm(join(clusterDir, 'postmaster.pid'), { force: true });
}

/**
 * Starts the server in a session of its own, so that Ctrl-C in a terminal stops only this process. This process finishes its requests
 * before it stops the server. The output goes to a file, so that the server can continue after this process was killed.
 */
async function spawnDetached(options: PostmasterOptions): Promise<{ hasExited: boolean; error?: Error }> {
  const settings = Object.entries({ ...options.settings, port: String(options.port) });
  const log = await open(options.logFile, 'a', 0o600);
  try {
    const exit: { hasExited: boolean; error?: Error } = { hasExited: false };
    const child = spawn(
      options.program,
      ['-D', options.clusterDir, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...options.account,
        cwd: '/',
        detached: true,
        env: serverEnvironment(),
        stdio: ['ignore', log.fd, log.fd],
      },
    );
    child.once('error', (error) => Object.assign(exit, { hasExited: true, error }));
    child.once('exit', () => (exit.hasExited = true));
    child.unref();
    return exit;
  } finally {
    await log.close();
  }
}

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
}

async function lastError(logFile: string, fromByte: number): Promise<string> {
  const lines = (await readFile(logFile)).subarray(fromByte).toString('utf8').split('\n').filter(Boolean);
  const fatal = lines.findLast((line) => /(?:FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? 'it printed no output';
  return `${fatal.replace(/^.*?(?:FATAL|PANIC): +/, '')} (more in ${logFile})`;
}
