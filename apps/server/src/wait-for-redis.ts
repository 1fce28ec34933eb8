import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { StartFailure } from './start-failure.js';

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Waits until one of the Redis servers responds, with increasing delays.
 * @throws StartFailure after `timeoutMs`, with host and reason, without password
 */
export async function waitForRedis(urls: readonly string[], timeoutMs: number, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const hosts = urls.map(hostOf).join(', ');
  for (let delayMs = MIN_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    const failures = await Promise.all(urls.map(failureOf));
    if (failures.includes(undefined)) return;
    const reason = failures[0] ?? 'unknown reason';
    if (Date.now() + delayMs > deadline) throw new StartFailure(`Can't reach Redis at ${hosts} (${reason}). Check REDIS_URL.`);
    log(`Redis at ${hosts} is not reachable yet (${reason}); retrying in ${delayMs} ms.`);
    await sleep(delayMs);
  }
}

/** Returns why a server does not respond, or undefined if the server responds. */
async function failureOf(url: string): Promise<string | undefined> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The first error has the reason. The error of the command says only that the connection is closed.
  let reason: string | undefined;
  client.on('error', (error: Error & { code?: string }) => (reason ??= error.message || error.code));
  try {
    await client.connect();
    await client.ping();
    return undefined;
  } catch (error) {
    return reason ?? (error as Error).message;
  } finally {
    client.disconnect();
  }
}

function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}
