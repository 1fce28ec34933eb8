import type { Server } from 'node:http';

const IDLE_CHECK_MS = 50;

/** Takes no new connections and waits until the requests under way are answered; cuts those that are not after `limitMs`. */
export async function drainHttp(server: Server, limitMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // close() ends the connections that are idle now; those that become idle would be kept alive.
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  try {
    await closed;
  } finally {
    clearInterval(idleCheck);
    clearTimeout(cut);
  }
}
