import { Client } from 'pg';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;

/**
 * Waits until PostgreSQL accepts connections, with increasing delays between the attempts.
 * @throws Error if PostgreSQL is not ready within `limitMs`. The message is one line with host and reason, without the password.
 */
export async function waitForDatabase(url: string, limitMs: number, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      const reason = describe(error);
      if (Date.now() + delayMs > deadline)
        throw new Error(`Can't reach PostgreSQL at ${addressOf(url)} (${reason}). Check DATABASE_URL.`, { cause: error });
      log(`PostgreSQL at ${addressOf(url)} is not reachable yet (${reason}); retrying in ${delayMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

const describe = (error: unknown): string => {
  const failure = error as { code?: string; message?: string; errors?: { message: string }[] };
  return failure.message || failure.errors?.[0]?.message || failure.code || 'unknown reason';
};

const addressOf = (url: string): string => {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || 5432}${pathname}`;
  } catch {
    return 'the given address';
  }
};
