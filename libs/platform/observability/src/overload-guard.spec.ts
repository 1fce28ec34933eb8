import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import { MetricsService } from './metrics.service.js';
import { OverloadGuard, ServiceOverloaded } from './overload-guard.js';

const MAX_REQUESTS = 1_024;

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
    const send = (path = '/v1/organizations') => {
      const response = new EventEmitter();
      const outcome: unknown[] = [];
      guard.handle({ path } as Request, response as Response, ((error?: unknown) => outcome.push(error)) as NextFunction);
      return { isRejected: outcome[0] instanceof ServiceOverloaded, end: () => response.emit('close') };
    };
    const sendMany = (count: number) => Array.from({ length: count }, () => send());
    return { metrics, send, sendMany };
  }

  it('rejects requests above the limit until a request ends', () => {
    const { send, sendMany } = guarded();
    const accepted = sendMany(MAX_REQUESTS);
    expect(accepted.filter(({ isRejected }) => isRejected)).toEqual([]);
    expect(send().isRejected).toBe(true);
    accepted[0]!.end();
    expect([send().isRejected, send().isRejected]).toEqual([false, true]);
  });

  it.each(['/health/live', '/health/ready', '/metrics'])('accepts %s during an overload', (path) => {
    const { send, sendMany } = guarded();
    sendMany(MAX_REQUESTS);
    for (let index = 0; index < 5; index++) expect(send(path).isRejected).toBe(false);
  });

  it('excludes streams from the limit', () => {
    const { send, sendMany } = guarded({ openStreams: () => 3, waitingForDatabase: () => 0 });
    sendMany(MAX_REQUESTS);
    expect([send(), send(), send(), send()].map(({ isRejected }) => isRejected)).toEqual([false, false, false, true]);
  });

  it('lowers the limit while requests wait for the database', async () => {
    let waiting = 80;
    const { send, sendMany } = guarded({ openStreams: () => 0, waitingForDatabase: () => waiting });
    const accepted = sendMany(100);
    expect(send().isRejected).toBe(false);
    for (let next = send(); !next.isRejected; next = send()) {
      accepted.push(next);
      await sleep(100);
    }
    for (const { end } of accepted) end();
    waiting = 0;
    for (let next = sendMany(500); next.some(({ isRejected }) => isRejected); next = sendMany(500)) {
      for (const { end } of next) end();
      await sleep(100);
    }
    expect(sendMany(500).filter(({ isRejected }) => isRejected)).toEqual([]);
  });

  it('counts rejected requests and requests in progress', async () => {
    const { metrics, sendMany } = guarded();
    sendMany(MAX_REQUESTS + 3);
    const text = await metrics.text();
    expect(text).toContain('http_requests_refused_total 3\n');
    expect(text).toContain(`http_requests_in_flight ${MAX_REQUESTS}\n`);
  });
});
