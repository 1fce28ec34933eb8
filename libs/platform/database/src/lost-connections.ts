import type { PoolConfig } from 'pg';

/**
 * Options of each pool, so that a lost connection does not end the process, as an `error` event without a listener does
 * (https://nodejs.org/api/events.html#error-events). The pool listens only while a connection is idle. A new connection has no listener at
 * first, for example if the server opens and closes it in one packet. Statements on a lost connection fail in any case, so this listener
 * does nothing.
 */
export const IGNORE_LOST_CONNECTIONS = {
  onConnect: (client) => {
    client.on('error', () => undefined);
  },
} satisfies PoolConfig;
