import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { TestService } from '../support/service-process.js';
import { sized } from '../support/test-size.js';

/** The longest queue of waiting connections that the kernel allows. Systems other than Linux have a lower limit. */
const MAX_QUEUE = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 100;
/** More than 511, the queue of Node.js without the option `backlog`. */
const CONNECTIONS = Math.min(sized(700, 2_000, 2_000), MAX_QUEUE);
const LIMIT_MS = 120_000;

const LISTENING = '0A';

/**
 * Returns the number of connections to a port of 127.0.0.1 that wait for the process to accept them, or NaN if the system does
 * not report the number.
 */
function waitingConnections(port: number): number {
  if (process.platform !== 'linux') return NaN;
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const queues = rows.find(([, address, , state]) => address === local && state === LISTENING)?.[4];
  return Number.parseInt(queues?.split(':')[1] ?? '', 16);
}

describe('a connection during a pause', () => {
  it.each(sized([1], [1, 2], [1, 2]))(
    'gets a response after the pause (processes: %i)',
    async (processes) => {
      const created = await TestService.create({ WORKERS: String(processes) });
      const { port } = created;
      const service = await created.start();
      service.signal('SIGSTOP');
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
      try {
        await Promise.all(sockets.map((socket) => once(socket, 'connect')));
        // The kernel drops a connection beyond its queue, and the client retries after a second.
        if (process.platform === 'linux') expect(waitingConnections(port)).toBe(CONNECTIONS);
        const responses = sockets.map(async (socket) => {
          socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
          const [text] = (await once(socket, 'data')) as [string];
          return text.split('\r\n', 1)[0];
        });
        service.signal('SIGCONT');
        expect(new Set(await Promise.all(responses))).toEqual(new Set(['HTTP/1.1 200 OK']));
      } finally {
        for (const socket of sockets) socket.destroy();
        service.signal('SIGCONT');
        await created.stop();
      }
    },
    LIMIT_MS,
  );
});
