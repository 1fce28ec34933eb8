import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestLoad } from './request-load.js';

describe('RequestLoad', () => {
  let server: Server;
  let url: string;
  const changes: boolean[] = [];
  const load = new RequestLoad((busy) => {
    if (busy !== (changes.at(-1) ?? false)) changes.push(busy);
  });
  beforeEach(async () => {
    changes.length = 0;
    server = createServer((_, response) => void setTimeout(() => response.end(), 20)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    load.start();
  });
  afterEach(() => {
    load.stop();
    server.closeAllConnections();
    server.close();
  });
  /** So many callers, each asking again as soon as it has its answer. */
  const ask = async (callers: number, forMs: number): Promise<void> => {
    const until = performance.now() + forMs;
    const one = async (): Promise<void> => {
      while (performance.now() < until) await (await fetch(url)).arrayBuffer();
    };
    await Promise.all(Array.from({ length: callers }, one));
  };

  it('is busy while many are served at once, and no longer', async () => {
    await ask(24, 1_000);
    expect(changes).toEqual([true]);
    await sleep(500);
    expect(changes).toEqual([true, false]);
  });

  it('is not busy with few, however long they go on', async () => {
    await ask(2, 800);
    expect(changes).toEqual([]);
  });
});
