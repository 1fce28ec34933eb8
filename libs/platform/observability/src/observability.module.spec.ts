import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { ConfigModule, loadConfig } from '#platform/config';
import { Build, createLogger, EventLoopWatchdog, MetricsService, ObservabilityModule, requestLog } from './index.js';
import { aggregateMetrics } from './metrics.service.js';

@Controller('people')
class PeopleController {
  @Get(':person')
  read(@Param('person') person: string): string | Promise<string> {
    if (person === 'broken') throw new Error('broken');
    if (person === 'blocking') for (const start = performance.now(); performance.now() < start + 600;);
    if (person === 'slow') return new Promise<string>(() => {});
    return person;
  }
}

@Module({
  imports: [ConfigModule.forRoot(loadConfig({ LOG_LEVEL: 'silent' })), ObservabilityModule.forRoot(new Build('1.2.3', 'abc'))],
  controllers: [PeopleController],
})
class TestModule {}

describe('ObservabilityModule', () => {
  let app: INestApplication;
  let url: string;
  let stopWatchdog: () => void;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    lines = [];
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    app = await NestFactory.create(TestModule, { logger: false });
    const watchdog = new EventLoopWatchdog(logger);
    stopWatchdog = () => watchdog.beforeApplicationShutdown();
    app.use(watchdog.handle);
    app.use(requestLog(logger, app.get(MetricsService)));
    app.use((_request: Request, response: Response, next: NextFunction) => {
      response.setHeader('X-Request-Id', 'req-1');
      next();
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterEach(async () => {
    stopWatchdog();
    const closed = app.close();
    (app.getHttpServer() as Server).closeAllConnections();
    await closed;
  });

  it('counts requests by route', async () => {
    app
      .get(MetricsService)
      .counter({ name: 'deliveries_total', help: 'Deliveries.', labelNames: ['outcome'] })
      .inc({ outcome: 'failed' }, 3);
    await fetch(`${url}/people/ada?password=hunter2`);
    await fetch(`${url}/people/broken`);
    await fetch(`${url}/nowhere/ada`);

    const response = await fetch(`${url}/metrics`);
    const text = await response.text();

    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('deliveries_total{outcome="failed"} 3');
    for (const labels of [
      'route="/people/:person",status="200"',
      'route="/people/:person",status="500"',
      'route="unmatched",status="404"',
    ])
      expect(text).toContain(`http_request_duration_seconds_count{method="GET",${labels}} 1`);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('service_build_info{version="1.2.3",commit="abc"} 1');
    expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: 'ok', version: '1.2.3', commit: 'abc' });
    expect(text).not.toContain('ada');
  });

  it('logs requests without path, query and IP address', async () => {
    await fetch(`${url}/people/ada?email=ada@example.com`);
    await fetch(`${url}/nowhere/ada`);
    await fetch(`${url}/health/live`);
    await fetch(`${url}/metrics`);

    const line = { level: 'info', msg: 'request', method: 'GET', requestId: 'req-1', ms: expect.any(Number) };
    expect(lines).toMatchObject([
      { ...line, route: '/people/:person', status: 200 },
      { ...line, route: 'unmatched', status: 404 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ada|127\.0\.0\.1/);
  });

  it('counts an aborted request with the status "aborted"', async () => {
    await expect(fetch(`${url}/people/slow`, { signal: AbortSignal.timeout(50) })).rejects.toThrow('aborted');
    while (lines.length === 0) await setTimeout(5);

    expect(lines[0]).toMatchObject({ route: '/people/:person', aborted: true });
    expect(await app.get(MetricsService).text()).toContain('route="/people/:person",status="aborted"} 1');
  });

  it('logs the request that blocked the event loop', async () => {
    const slow = fetch(`${url}/people/blocking?email=ada@example.com`);
    const isBlocked = (line: Record<string, unknown>) => line['msg'] === 'event loop blocked';
    while (!lines.some(isBlocked)) await setTimeout(5);
    await slow;

    expect(lines.find(isBlocked)).toMatchObject({
      level: 'warn',
      ms: expect.any(Number),
      inProgress: 1,
      requests: [{ method: 'GET', route: '/people/:person', requestId: 'req-1' }],
    });
  });
});

it('metrics of several processes are added by default, and keep NaN', async () => {
  const processWith = (lag: number, answered: number) => {
    const metrics = new MetricsService();
    metrics.gauge({ name: 'lag_seconds', help: 'The same for all.', aggregator: 'max' }).set(lag);
    metrics.counter({ name: 'answered_total', help: 'Of each.', labelNames: ['route'] }).inc({ route: '/a' }, answered);
    metrics.httpRequests.observe({ method: 'GET', route: '/a', status: '200' }, 0.02);
    return metrics.snapshot();
  };
  const text = await aggregateMetrics(await Promise.all([processWith(3, 10), processWith(2, 5)]));

  expect(text).toContain('\nanswered_total{route="/a"} 15\n');
  expect(text).toContain('\nlag_seconds 3\n');
  expect(text).toMatch(/\nhttp_request_duration_seconds_count\{[^}]*route="\/a"[^}]*\} 2\n/);
  const unknown = await Promise.all([processWith(Number.NaN, 1), processWith(Number.NaN, 1)]);
  expect(await aggregateMetrics(unknown)).toContain('\nlag_seconds Nan\n');
});
