import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { newOrganization } from '../support/organizations.js';
import { testRedis } from '../support/redis.js';
import { testServer } from '../support/test-server.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The names of the Node.js metrics of prom-client, which do not follow the naming rules of Prometheus. */
const NODE_METRIC = /^(?:nodejs|process)_/;

const METRIC = /\b(?:http|webhook|database|event_log|event_subscriber|nodejs|process)_[a-z0-9_]+/g;

describe('the metrics endpoint', () => {
  const redis = testRedis();
  const app = testServer(() => startApp({ redisUrls: [redis.url] }));
  let types: Map<string, string>;
  let text: string;

  const metricsOf = async ({ api }: TestApp) => String((await api.anonymous.get('/metrics').expect(200)).body);
  beforeAll(async () => {
    await app.api.platform.get('/v1/organizations').expect(200);
    text = await metricsOf(app);
    types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  });

  it('follows the naming rules of Prometheus and is documented', () => {
    const own = [...types].filter(([name]) => !NODE_METRIC.test(name));
    const page = read('docs/observability.md');
    expect(own.filter(([name]) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(([name, type]) => (type === 'counter') !== name.endsWith('_total'))).toEqual([]);
    expect(text.match(/^# HELP \S+ .+$/gm)).toHaveLength(types.size);
  });

  it('includes all metrics that the alerts and the dashboard use', () => {
    for (const file of ['deploy/prometheus/alerts.yml', 'deploy/grafana/dashboards/identity-service.json']) {
      const names = read(file).match(METRIC) ?? [];
      const unknown = names.filter((name) => !types.has(name) && !types.has(name.replace(/_(?:bucket|count|sum)$/, '')));
      expect({ file, named: names.length > 8, unknown }).toEqual({ file, named: true, unknown: [] });
    }
  });

  it('reports the age of the oldest event that waits for a relay', async () => {
    const apiProcess = await startApp({ role: 'api', redisUrls: [redis.url] });
    try {
      await newOrganization(apiProcess);
      await sleep(20);
      const values = new Map((await metricsOf(apiProcess)).split('\n').map((line) => line.split(' ') as [string, string]));
      expect(Number(values.get('webhook_outbox_lag_seconds'))).toBeGreaterThanOrEqual(0.02);
      expect(values.get('webhook_relay_last_round_timestamp_seconds')).toBe('0');
      expect(Number(values.get('database_pool_connections{state="idle"}'))).toBeGreaterThan(0);
      expect(values.get('database_pool_connections_max')).toBe(String(apiProcess.config.databasePoolSize));
    } finally {
      await apiProcess.close();
    }
  });
});

describe('tracing', () => {
  it('loads OpenTelemetry only with the dynamic import that enables traces', () => {
    const sources = ['libs', 'apps/server/src'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
        .map((path) => ({ path, text: read(join(folder, path)) })),
    );
    const importing = (module: RegExp) =>
      sources.filter(({ text }) =>
        [...text.matchAll(/^(import|export) (?!type )[^;]*? from '([^']+)'/gm)].some(([, , name]) => module.test(name!)),
      );
    expect(importing(/^@opentelemetry\//).map(({ path }) => path)).toEqual([
      'platform/observability/src/tracing/otlp-span-recorder.ts',
    ]);
    expect(importing(/otlp-span-recorder/)).toEqual([]);
  });
});
