import { type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const IDLE_CHECK_MS = 50;
/** An idle connection stays open for this time, because the next request can already be in transit. */
const IDLE_TIMEOUT_MS = 1_000;

/**
 * Stops accepting connections and waits for the responses to current requests. Closes all connections after `timeoutMs`. The next
 * response on a keep-alive connection has `Connection: close`, so that the client sends no further request on the connection.
 */
export async function drainHttp(server: Server, timeoutMs: number): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('Connection', 'close'));
  // `close` of http.Server would close idle connections immediately.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idleSince = performance.now();
  // A connection without any request does not count as idle. Its time limit is the limit for headers.
  server.headersTimeout = IDLE_TIMEOUT_MS;
  const idleCheck = setInterval(() => {
    if (performance.now() - idleSince >= Math.min(IDLE_TIMEOUT_MS, timeoutMs)) server.closeIdleConnections();
  }, IDLE_CHECK_MS);
  const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs);
  try {
    await closed;
  } finally {
    clearInterval(idleCheck);
    clearTimeout(timeout);
  }
}
