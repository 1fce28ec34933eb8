import type { PoolConfig } from 'pg';

/**
 * Options of each pool, so that a lost connection does not end the process. An `error` event without a listener would end the process
 * (https://nodejs.org/api/events.html#error-events). The pool listens only to idle connections. A new connection has no listener at first,
 * for example if the server opens and closes the connection in one packet. The listener does nothing, because all statements on a lost
 * connection fail.
 */
export const IGNORE_LOST_CONNECTIONS = {
  onConnect: (client) => {
    client.on('error', () => undefined);
  },
} satisfies PoolConfig;
