import type { PoolConfig } from 'pg';

/**
 * Options for each pool: a lost connection must not end the process. An `error` event without a listener does
 * (https://nodejs.org/api/events.html#error-events). The pool listens while a connection is idle, and its user listens later. Between the
 * two nobody listens, for example if the server closes a connection in the packet that opens it. Statements on a lost connection fail in
 * any case, so the listener does nothing.
 */
export const OUTLIVES_CONNECTIONS = {
  onConnect: (client) => {
    client.on('error', () => undefined);
  },
} satisfies PoolConfig;
