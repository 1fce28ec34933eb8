import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectDir } from '../scripts/build-if-stale.mjs';
import { processorTimeMs } from './processor-time.mjs';
import { findFreePort } from '../test/support/free-port.ts';

const ENTRY = 'dist/server/main.js';
const START_LIMIT_MS = 60_000;
/** The same for all starts, because the service refuses a database with secrets that it can't read. */
const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64');

/**
 * Starts the built server as shipped. Without `databaseUrl`, the server uses its embedded PostgreSQL. `readyMs` is the time from spawn
 * to ready. `projectFolder` can have another built version. The log goes to a file, so that reading the log costs the benchmark nothing.
 */
export async function startService(databaseUrl, environment = {}, nodeOptions = [], projectFolder = projectDir) {
  const platformKey = randomBytes(24).toString('hex');
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-service-'));
  const logFile = join(folder, 'service.log');
  const output = openSync(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, join(projectFolder, ENTRY)], {
    // The working directory is outside the project, because the server would read .env of the project.
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      PLATFORM_API_KEY: platformKey,
      SECRETS_KEY,
      ...environment,
    },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const exited = once(child, 'close').then(() => process.off('exit', killAtExit));
  const log = () => readFileSync(logFile, 'utf8');
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(`http://127.0.0.1:${environment.MONITORING_PORT ?? port}`, child, log);
  return {
    url,
    headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' },
    readyMs: performance.now() - startedAt,
    memoryMiB: () => residentMiB(child.pid),
    processorTimeMs: () => processorTimeMs(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilReady(url, child, log) {
  for (const deadline = performance.now() + START_LIMIT_MS; ; await sleep(10)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`The service did not start:\n${log()}`);
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
  }
}

/** Returns the resident memory of a process, or undefined if the system has no /proc. */
export function residentMiB(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** Calls the service once. @throws Error with the response body if the request fails */
export async function call(service, method, path, body) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: service.headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
  return JSON.parse(text);
}
