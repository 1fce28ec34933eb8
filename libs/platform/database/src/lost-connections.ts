import type { PoolConfig } from 'pg';

/**
 * For each pool: its connections may be lost at any moment. The pool listens for that while nobody has a connection, and whoever has it
 * afterwards; in between, as when the server ends a connection in the same packet that opens it, nobody would, and an `error` event that
 * nobody listens to ends the process (https://nodejs.org/api/events.html#error-events). What is asked of a lost connection fails anyway.
 */
export const OUTLIVES_CONNECTIONS = {
  onConnect: (client) => {
    client.on('error', () => undefined);
  },
} satisfies PoolConfig;
