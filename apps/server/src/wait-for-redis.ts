import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { StartFailure } from './start-failure.js';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Waits until one of the Redis servers answers, with growing pauses.
 * @throws StartFailure (host and reason, never the password) when none has within `limitMs`.
 */
export async function waitForRedis(urls: readonly string[], limitMs: number, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + limitMs;
  const places = urls.map(placeOf).join(', ');
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
    const answers = await Promise.all(urls.map(failureOf));
    if (answers.includes(undefined)) return;
    const reason = answers[0] ?? 'unknown reason';
    if (Date.now() + delayMs > deadline) throw new StartFailure(`Can't reach Redis at ${places} (${reason}). Check REDIS_URL.`);
    log(`Redis at ${places} is not reachable yet (${reason}); retrying in ${delayMs} ms.`);
    await sleep(delayMs);
  }
}

/** Why a server does not answer; undefined when it does. */
async function failureOf(url: string): Promise<string | undefined> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The first error says why; the command's own only that the connection is closed.
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

function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}
