import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildServer, ServiceProcess } from '../support/service-process.js';
import { findFreePort } from '../support/free-port.js';
import { createTestDatabase } from '../support/postgres.js';

/** The kernel lets no more wait, whatever a program asks for; other systems than Linux have less. */
const MOST = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 100;
const CONNECTIONS = Math.min(2_000, MOST);
const LIMIT_MS = 120_000;

/** How often the kernel kept silent because no more connections might wait; whoever asked tries again after a second. */
function overflows(): number {
  if (process.platform !== 'linux') return 0;
  const [names, values] = readFileSync('/proc/net/netstat', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  return Number(values![names!.indexOf('ListenOverflows')]);
}

describe('connections that come while the service is held up', () => {
  beforeAll(buildServer, LIMIT_MS);

  it.each([1, 2])(
    `all wait for it and are answered, ${CONNECTIONS} of them, with %i processes`,
    async (processes) => {
      const [port, database] = [await findFreePort(), await createTestDatabase()];
      const service = await ServiceProcess.start({
        DATABASE_URL: database.url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        PORT: String(port),
        WORKERS: String(processes),
      });
      service.signal('SIGSTOP');
      const before = overflows();
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
      try {
        await Promise.all(sockets.map((socket) => once(socket, 'connect')));
        expect(overflows() - before).toBe(0);
        const answers = sockets.map(async (socket) => {
          socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
          const [text] = (await once(socket, 'data')) as [string];
          return text.split('\r\n', 1)[0];
        });
        service.signal('SIGCONT');
        expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
      } finally {
        for (const socket of sockets) socket.destroy();
        service.signal('SIGCONT');
        await service.kill();
        await database.drop();
      }
    },
    LIMIT_MS,
  );
});
