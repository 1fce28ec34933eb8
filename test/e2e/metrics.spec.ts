import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { startRedis, type RedisServer } from '../support/redis.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The names of the Node.js metrics of prom-client, which do not follow the naming rules of Prometheus. */
const NODE_METRIC = /^(?:nodejs|process)_/;
/** Endings of metric names: a base unit, or a plural noun for a count (https://prometheus.io/docs/practices/naming/). */
const METRIC_ENDING =
  /_(?:events|tenants|seconds|bytes|timestamp_seconds|total|connections|connections_max|requests|in_flight|jobs|due|pending|partitions|partitions_held)$/;

describe('the metrics endpoint', () => {
  let app: TestApp;
  let redis: RedisServer;
  let types: Map<string, string>;
  let text: string;

  const metricsOf = async ({ api }: TestApp) => String((await api.anonymous.get('/metrics').expect(200)).body);
  beforeAll(async () => {
    redis = await startRedis();
    app = await startApp({ redisUrls: [redis.url] });
    await app.api.platform.get('/v1/organizations').expect(200);
    text = await metricsOf(app);
    types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  });
  afterAll(async () => {
    await app?.close();
    await redis?.stop();
  });

  it('follows the naming rules of Prometheus', () => {
    const own = [...types].filter(([name]) => !NODE_METRIC.test(name));
    const wrong = own.filter(([name, type]) => !METRIC_ENDING.test(name) || (type === 'counter') !== name.endsWith('_total'));

    expect(own.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
    expect(text.match(/^# HELP \S+ .+$/gm)).toHaveLength(types.size);
  });

  it('includes all metrics that the alerts and the dashboard use', () => {
    const dashboard = JSON.parse(read('deploy/grafana/dashboards/identity-service.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const expressionsByFile = {
      alerts: read('deploy/prometheus/alerts.yml'),
      dashboard: dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'),
    };
    for (const [where, expressions] of Object.entries(expressionsByFile)) {
      const names = expressions.match(/\b(?:http|webhook|database|event_log|event_subscriber|nodejs|process)_[a-z0-9_]+/g) ?? [];
      const unknown = names.filter((name) => !types.has(name) && !types.has(name.replace(/_(?:bucket|count|sum)$/, '')));
      expect({ where, named: names.length > 8, unknown }).toEqual({ where, named: true, unknown: [] });
    }
  });

  it('returns only metrics that the documentation describes', () => {
    const page = read('docs/observability.md');
    const missing = [...types.keys()].filter((name) => !NODE_METRIC.test(name) && !page.includes(`\`${name}\``));

    expect(missing).toEqual([]);
  });

  it('reports the age of the oldest event that waits for a relay', async () => {
    const apiProcess = await startApp({ role: 'api', redisUrls: [redis.url] });
    try {
      await apiProcess.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const lines = (await metricsOf(apiProcess)).split('\n');
      const valueOf = (name: string) =>
        Number(
          lines
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')
            .at(-1),
        );
      expect(valueOf('webhook_outbox_lag_seconds')).toBeGreaterThanOrEqual(0.02);
      expect(valueOf('webhook_relay_last_round_timestamp_seconds')).toBe(0);
      expect(valueOf('database_pool_connections{state="idle"}')).toBeGreaterThan(0);
      expect(valueOf('database_pool_connections_max')).toBe(apiProcess.config.databasePoolSize);
    } finally {
      await apiProcess.close();
    }
  });
});

describe('tracing', () => {
  it('loads no OpenTelemetry module while disabled', () => {
    const script = `
      import { createRequire } from 'node:module';
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => /@opentelemetry.(sdk|exporter|otlp)/.test(path)).length;
      await import('./apps/server/src/setup-app.ts');
      const { Tracing } = await import('./libs/platform/observability/src/tracing/tracing.ts');
      const off = await Tracing.of({});
      const before = loaded();
      const on = await Tracing.of({ otlpEndpoint: 'http://127.0.0.1:9' });
      console.log(JSON.stringify({ off: off.recorder === undefined, before, on: on.recorder !== undefined, after: loaded() > 0 }));
      process.exit();`;
    const options = ['--no-warnings', '--import', './test/support/register-typescript.mjs', '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' });

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ off: true, before: 0, on: true, after: true });
  });
});
