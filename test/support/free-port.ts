import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const PORTS = { first: 10_000, last: 32_000 };
const WORKERS = 8;

/** Each Jest worker has ports of its own, and gives none of them twice: a program takes a while until it listens on the port that it was given. */
const SHARE = Math.floor((PORTS.last - PORTS.first) / WORKERS);
const first = PORTS.first + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * SHARE;
// Elsewhere in each run, since another may go on beside it.
let next = randomInt(SHARE);

/**
 * A TCP port of 127.0.0.1 that nobody listens on now, for a program that needs to know its port before it starts.
 * It is not from the range that the system takes ports from by itself (32768 and up on Linux): a port from there could be
 * given to any connection between this look and the program's start.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = first + (next++ % SHARE);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found from ${first} to ${first + SHARE}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
