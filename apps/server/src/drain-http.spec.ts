import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { drainHttp } from './drain-http.js';

it('closes idle connections within seconds, also connections without any request', async () => {
  const limits = { keepAliveTimeout: 75_000, headersTimeout: 80_000, connectionsCheckingInterval: 200 };
  const server = createServer(limits, (_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const [idle] = [await open(), (await open()).resume()];
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(idle, 'data');

  const startedAt = performance.now();
  await drainHttp(server, 20_000);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
