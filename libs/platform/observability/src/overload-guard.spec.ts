import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import { MetricsService } from './metrics.service.js';
import { OverloadGuard, ServiceOverloaded } from './overload-guard.js';

const MOST = 1_024;

describe('OverloadGuard', () => {
  const guards: OverloadGuard[] = [];
  afterEach(() => {
    for (const guard of guards.splice(0)) guard.beforeApplicationShutdown();
  });

  function guarded(sources = { openStreams: () => 0, waitingForDatabase: () => 0 }) {
    const metrics = new MetricsService();
    const guard = new OverloadGuard(metrics);
    guards.push(guard);
    guard.watch(sources);
    const ask = (path = '/v1/organizations') => {
      const response = new EventEmitter();
      const outcome: unknown[] = [];
      guard.handle({ path } as Request, response as Response, ((error?: unknown) => outcome.push(error)) as NextFunction);
      return { refused: outcome[0] instanceof ServiceOverloaded, end: () => response.emit('close') };
    };
    const askAll = (count: number) => Array.from({ length: count }, () => ask());
    return { metrics, ask, askAll };
  }

  it('rejects requests above the limit until a request is finished', () => {
    const { ask, askAll } = guarded();
    const taken = askAll(MOST);
    expect(taken.filter(({ refused }) => refused)).toEqual([]);
    expect(ask().refused).toBe(true);
    taken[0]!.end();
    expect([ask().refused, ask().refused]).toEqual([false, true]);
  });

  it.each(['/health/live', '/health/ready', '/metrics'])('accepts %s during an overload', (path) => {
    const { ask, askAll } = guarded();
    askAll(MOST);
    for (let index = 0; index < 5; index++) expect(ask(path).refused).toBe(false);
  });

  it('does not count streams', () => {
    const { ask, askAll } = guarded({ openStreams: () => 3, waitingForDatabase: () => 0 });
    askAll(MOST);
    expect([ask(), ask(), ask(), ask()].map(({ refused }) => refused)).toEqual([false, false, false, true]);
  });

  it('lowers the limit while requests wait for the database, and raises it afterwards', async () => {
    let waiting = 80;
    const { ask, askAll } = guarded({ openStreams: () => 0, waitingForDatabase: () => waiting });
    const taken = askAll(100);
    expect(ask().refused).toBe(false);
    for (let next = ask(); !next.refused; next = ask()) {
      taken.push(next);
      await sleep(100);
    }
    for (const { end } of taken) end();
    waiting = 0;
    for (let next = askAll(500); next.some(({ refused }) => refused); next = askAll(500)) {
      for (const { end } of next) end();
      await sleep(100);
    }
    expect(askAll(500).filter(({ refused }) => refused)).toEqual([]);
  });

  it('counts rejected requests and requests in progress', async () => {
    const { metrics, askAll } = guarded();
    askAll(MOST + 3);
    const text = await metrics.text();
    expect(text).toContain('http_requests_refused_total 3\n');
    expect(text).toContain(`http_requests_in_flight ${MOST}\n`);
  });

  it('has an error that says when to retry', () => {
    expect(new ServiceOverloaded()).toMatchObject({ code: 'unavailable', kind: 'unavailable', retryAfterSeconds: 1 });
  });
});
