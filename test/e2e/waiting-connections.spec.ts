import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildServer, ServiceProcess } from '../faults/service-process.js';
import { findFreePort } from '../support/free-port.js';
import { createTestDatabase } from '../support/postgres.js';

/** The kernel lets no more wait, whatever a program asks for; other systems than Linux have less. */
const MOST = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 100;
const CONNECTIONS = Math.min(2_000, MOST);
/** Where no more may wait the kernel keeps silent, and whoever asks tries again after a second. */
const AT_ONCE_MS = 900;
const LIMIT_MS = 120_000;

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
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
      try {
        const isThere = sockets.map((socket) => once(socket, 'connect').then(() => true));
        const inTime = await Promise.all(isThere.map((there) => Promise.race([there, sleep(AT_ONCE_MS).then(() => false)])));
        expect(inTime.filter((is) => !is)).toEqual([]);
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
