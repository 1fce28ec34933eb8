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
  /** Sends requests with several concurrent callers. Each caller sends its next request after the previous response. */
  const sendRequests = async (callers: number, shouldContinue: () => boolean): Promise<void> => {
    const one = async (): Promise<void> => {
      while (shouldContinue()) await (await fetch(url)).arrayBuffer();
    };
    await Promise.all(Array.from({ length: callers }, one));
  };

  it('is busy while many requests are served concurrently, and no longer after they have ended', async () => {
    await sendRequests(24, () => changes.length === 0);
    while (changes.at(-1)) await sleep(20);
    expect(changes).toEqual([true, false]);
  });

  it('is not busy with few concurrent requests, even over a long time', async () => {
    const until = performance.now() + 800;
    await sendRequests(2, () => performance.now() < until);
    expect(changes).toEqual([]);
  });
});

describe('RequestLoad with a fake clock', () => {
  const [started, finished] = [channel('http.server.request.start'), channel('http.server.response.finish')];
  const samples: boolean[] = [];
  const load = new RequestLoad((busy) => void samples.push(busy));
  beforeEach(() => {
    samples.length = 0;
    jest.useFakeTimers();
    load.start();
  });
  afterEach(() => {
    load.stop();
    jest.useRealTimers();
  });
  /** Simulates `count` concurrent requests of 100 ms, repeated `times` times. */
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
    expect(samples).toEqual(Array.from({ length: 10 }, () => true));
    jest.advanceTimersByTime(200);
    expect(samples.at(-1)).toBe(false);
  });

  it('stops being busy below half of the number of requests that makes it busy', () => {
    serve(10, 2);
    serve(24, 2);
    serve(10, 2);
    serve(5, 2);
    expect(samples).toEqual([false, true, true, false]);
  });
});
