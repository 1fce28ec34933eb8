import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ServiceProcess } from '../test/faults/service-process.ts';
import { findFreePort } from '../test/support/free-port.ts';

/** Starts the built server on a database; `readyMs` is the time from the spawn until it answers. */
export async function startService(databaseUrl, environment = {}) {
  const platformKey = randomBytes(24).toString('hex');
  const port = await findFreePort();
  const startedAt = performance.now();
  const process = await ServiceProcess.start({
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PLATFORM_API_KEY: platformKey,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    ...environment,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' },
    readyMs: performance.now() - startedAt,
    memoryMiB: () => residentMiB(process.pid),
    stop: () => process.terminate(),
    complaints: () => process.stdout + process.stderr,
  };
}

/** Resident memory of a process; undefined where the system has no /proc. */
export function residentMiB(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** Calls the service once. @throws Error with the whole answer when it is no success */
export async function call(service, method, path, body) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: service.headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
  return JSON.parse(text);
}
