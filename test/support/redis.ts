import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { findFreePort } from './free-port.js';
import { testServer } from './test-server.js';

const START_ATTEMPTS = 5;
const START_TIMEOUT_MS = 10_000;

export type RedisServer = Awaited<ReturnType<typeof startOnPort>>;

/** The options of a server. `port` and `directory` of a killed server restart this server with its data. `settings` are command line arguments. */
interface RedisOptions {
  port?: number;
  directory?: string;
  settings?: readonly string[];
}

/** Starts a redis-server without persistence. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnPort(options.port ?? (await findFreePort()), options);
    } catch (error) {
      // Another program can use the free port before the start of the server.
      if (options.port !== undefined || attempt === START_ATTEMPTS) throw error;
    }
  }
}

/** Starts a redis-server before the tests of the file or block and stops it after them. Only tests and hooks can use it. */
export const testRedis = (): RedisServer => testServer(() => startRedis());

async function startOnPort(port: number, options: RedisOptions) {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'test-redis-')));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
  const child = spawn('redis-server', [...settings, ...(options.settings ?? [])], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit').catch(() => undefined);
  // Kills the server if the test process exits without stop().
  const killAtExit = (): boolean => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const cleanUp = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
    process.off('exit', killAtExit);
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child, port);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    /** Sends a signal. With SIGKILL, resolves when the process has exited. With any other signal, resolves immediately. */
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      if (signal === 'SIGKILL') await gone;
    },
    flush: async () => {
      const client = new Redis(port);
      await client.flushall();
      client.disconnect();
    },
    stop: cleanUp,
  };
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4096)));
  const isReady = (): boolean => {
    if (child.exitCode !== null) throw new Error(`redis-server on port ${port} ended: ${output.trim().split('\n').at(-1)}`);
    return output.includes('Ready to accept connections');
  };
  await eventually(isReady, START_TIMEOUT_MS, `redis-server on port ${port} is ready`);
}
