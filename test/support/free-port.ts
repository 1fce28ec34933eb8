import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const PORTS = { first: 10_000, last: 32_000 };
const WORKERS = 8;

/** The number of ports of a Jest worker. A worker returns each port only once, because a program can listen later. */
const PORTS_PER_WORKER = Math.floor((PORTS.last - PORTS.first) / WORKERS);
const first = PORTS.first + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * PORTS_PER_WORKER;
// Starts at a random port. A concurrent test run uses an equal range.
let next = randomInt(PORTS_PER_WORKER);

/**
 * Returns a free TCP port of 127.0.0.1 for a program that requires a port number at the start. The port is not in the ephemeral range (32768 and up
 * on Linux): the system could assign such a port to a connection before the start of the program.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = first + (next++ % PORTS_PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found from ${first} to ${first + PORTS_PER_WORKER}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
