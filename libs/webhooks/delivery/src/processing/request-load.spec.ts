import { channel } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
  const ask = async (callers: number, goesOn: () => boolean): Promise<void> => {
    const one = async (): Promise<void> => {
      while (goesOn()) await (await fetch(url)).arrayBuffer();
    };
    await Promise.all(Array.from({ length: callers }, one));
  };

  it('is busy while many requests are served concurrently, and no longer after they have ended', async () => {
    await ask(24, () => changes.length === 0);
    while (changes.at(-1)) await sleep(20);
    expect(changes).toEqual([true, false]);
  });

  it('is not busy with few concurrent requests, even over a long time', async () => {
    const until = performance.now() + 800;
    await ask(2, () => performance.now() < until);
    expect(changes).toEqual([]);
  });
});

describe('RequestLoad with a fake clock', () => {
  const [started, finished] = [channel('http.server.request.start'), channel('http.server.response.finish')];
  const looks: boolean[] = [];
  const load = new RequestLoad((busy) => void looks.push(busy));
  beforeEach(() => {
    looks.length = 0;
    jest.useFakeTimers();
    load.start();
  });
  afterEach(() => {
    load.stop();
    jest.useRealTimers();
  });
  /** Serves so many at once, each for 100 ms, so often in a row. */
  const serve = (count: number, times: number): void => {
    for (let time = 0; time < times; time++) {
      const requests = Array.from({ length: count }, () => ({ request: {} }));
      for (const request of requests) started.publish(request);
      jest.advanceTimersByTime(99);
      for (const request of requests) finished.publish(request);
      jest.advanceTimersByTime(1);
    }
  };

  it('stays busy while many requests are served concurrently', () => {
    serve(24, 20);
    expect(looks).toEqual(Array.from({ length: 10 }, () => true));
    jest.advanceTimersByTime(200);
    expect(looks.at(-1)).toBe(false);
  });

  it('stops being busy below half of the number of requests that makes it busy', () => {
    serve(10, 2);
    serve(24, 2);
    serve(10, 2);
    serve(5, 2);
    expect(looks).toEqual([false, true, true, false]);
  });
});
