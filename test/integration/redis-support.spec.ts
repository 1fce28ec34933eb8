import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/redis.js';

describe('startRedis', () => {
  const servers: RedisServer[] = [];
  const clients: Redis[] = [];
  const start = async (options?: { port: number }): Promise<RedisServer> => {
    const server = await startRedis(options);
    servers.push(server);
    return server;
  };
  const connect = (server: RedisServer): Redis => {
    const client = new Redis(server.url, { retryStrategy: () => null });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };
  afterEach(async () => {
    // disconnect() on an ended connection would start a timer of two seconds.
    for (const client of clients.splice(0)) if (client.status !== 'end') client.disconnect();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it('starts separate servers', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    await connect(first).set('key', 'value');
    expect(await connect(second).get('key')).toBeNull();
    await first.flush();
    expect(await connect(first).get('key')).toBeNull();
  });

  it('restarts a killed server without keys', async () => {
    const killed = await start();
    await connect(killed).set('key', 'value');
    await killed.kill('SIGKILL');
    await expect(connect(killed).get('key')).rejects.toThrow();
    const back = await start({ port: killed.port });
    expect(back.pid).not.toBe(killed.pid);
    expect(await connect(back).get('key')).toBeNull();
  });
});
