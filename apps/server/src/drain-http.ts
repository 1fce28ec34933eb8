import { type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const IDLE_CHECK_MS = 50;
/** So long a connection without a request stays open: the client's next may be on its way already. */
const LAST_REQUEST_MS = 1_000;

/**
 * Takes no new connections and waits until the requests under way are answered; cuts those that are not after `limitMs`. Connections that
 * are kept alive are told to end with their next answer, so that no request is sent into one that is being closed.
 */
export async function drainHttp(server: Server, limitMs: number): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('Connection', 'close'));
  // HTTP's own close() would end connections without a request at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idleSince = performance.now();
  const idleCheck = setInterval(() => {
    if (performance.now() - idleSince >= Math.min(LAST_REQUEST_MS, limitMs)) server.closeIdleConnections();
  }, IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  try {
    await closed;
  } finally {
    clearInterval(idleCheck);
    clearTimeout(cut);
  }
}
