import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CHECK_TIMEOUT_MS, HealthChecks } from './health-checks.js';

const works = () => Promise.resolve();
const fails = () => Promise.reject(new Error('connection refused'));
const throws = () => {
  throw new Error('not connected');
};

describe('HealthChecks', () => {
  let health: HealthChecks;

  beforeEach(() => {
    Logger.overrideLogger(false);
    health = new HealthChecks();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['rejects', fails],
    ['throws', throws],
  ])('is not ready while one check %s', async (_, broken) => {
    let check: () => Promise<void> = broken;
    health.register('database', works);
    health.register('queue', () => check());

    expect(await health.readiness()).toEqual({ status: 'failed', checks: { database: 'ok', queue: 'failed' } });
    check = works;
    expect(await health.readiness()).toMatchObject({ status: 'ok' });
  });

  it('stays ready when an optional check fails', async () => {
    health.register('database', works);
    health.register('queue', fails, { isRequired: false });

    expect(await health.readiness()).toEqual({ status: 'ok', checks: { database: 'ok', queue: 'failed' } });
  });

  it('fails a check that takes longer than 2 seconds', async () => {
    jest.useFakeTimers();
    health.register('database', works);
    health.register('queue', () => new Promise(() => {}));
    let answer: unknown;
    const pending = health.readiness().then((readiness) => (answer = readiness));

    await jest.advanceTimersByTimeAsync(CHECK_TIMEOUT_MS - 1);
    expect(answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    await pending;

    expect(answer).toEqual({ status: 'failed', checks: { database: 'ok', queue: 'failed' } });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('runs each check only once for simultaneous callers', async () => {
    let pending = 0;
    health.register('database', async () => {
      pending += 1;
    });

    await Promise.all([health.readiness(), health.readiness(), health.readiness()]);
    expect(pending).toBe(1);
    await health.readiness();
    expect(pending).toBe(2);
  });

  it('is not ready during the shutdown', async () => {
    health.register('database', works);
    const askedBefore = health.readiness();

    health.beginShutdown();

    expect(await askedBefore).toMatchObject({ status: 'shutting_down' });
    expect(await health.readiness()).toEqual({ status: 'shutting_down', checks: { database: 'ok' } });
  });
});
