import { describe, expect, it } from '@jest/globals';
import { aggregateMetrics, MetricsService } from './metrics.service.js';

describe('MetricsService', () => {
  function processWith(lag: number, answered: number): MetricsService {
    const metrics = new MetricsService();
    metrics.gauge({ name: 'lag_seconds', help: 'The same for all.', aggregator: 'max' }).set(lag);
    metrics.counter({ name: 'answered_total', help: 'Of each.', labelNames: ['route'] }).inc({ route: '/a' }, answered);
    metrics.httpRequests.observe({ method: 'GET', route: '/a', status: '200' }, 0.02);
    return metrics;
  }

  it('adds the values of all processes by default', async () => {
    const snapshots = await Promise.all([processWith(3, 10), processWith(2, 5)].map((metrics) => metrics.snapshot()));
    const text = await aggregateMetrics(snapshots);

    expect(text).toContain('\nanswered_total{route="/a"} 15\n');
    expect(text).toContain('\nlag_seconds 3\n');
    expect(text).toMatch(/\nhttp_request_duration_seconds_count\{[^}]*route="\/a"[^}]*\} 2\n/);
  });

  it('keeps NaN values in aggregated metrics', async () => {
    const snapshots = await Promise.all([processWith(Number.NaN, 1).snapshot(), processWith(Number.NaN, 1).snapshot()]);

    expect(await aggregateMetrics(snapshots)).toContain('\nlag_seconds Nan\n');
  });
});
