import { beforeAll, expect, it, jest } from '@jest/globals';
import { firstIdAt } from '#platform/common';
import { TestService } from '../support/service-process.js';
import { eventually } from '../support/delivery-app.js';
import { listenHttp } from '../support/local-receiver.js';
import { openPool } from '../support/pool.js';
import { testServer } from '../support/test-server.js';

const LONG = process.env['LONG'] === '1';
const WEBHOOKS = 50;
const EVENTS = LONG ? 20_000 : 400;
/** The number of deliveries for which the test waits. */
const DELIVERED = LONG ? 100_000 : 2_000;
const STARTS_WITHIN_MS = 10_000;
const MEMORY_MAX_MB = 500;
const GROWTH_MAX_MB = 100;
const LIMIT_MS = LONG ? 3_600_000 : 180_000;

jest.setTimeout(LIMIT_MS);

const service = testServer(() => TestService.create());
let received = 0;
const receiver = testServer(() =>
  listenHttp((request, response) => {
    received++;
    request.resume().on('end', () => response.end());
  }),
);
beforeAll(createBacklog);

/** Creates webhooks, events, and one due delivery for each pair of event and webhook. */
async function createBacklog(): Promise<void> {
  const running = await service.start();
  const { client } = service;
  const tenant = (await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id as string;
  for (let count = 0; count < WEBHOOKS; count++) {
    const body = { url: `http://127.0.0.1:${receiver.port}/${count}`, events: ['role.created'] };
    await client.post('/v1/organizations/acme/webhooks', body).expect(201);
  }
  await running.terminate();
  const sql = openPool(service.environment['DATABASE_URL'], 1);
  const numbered = (kind: 'event' | 'delivery') => firstIdAt(kind, new Date()).slice(0, -8);
  await sql.query(
    `INSERT INTO events (tenant_id, id, position, type, organization_id, actor_type, payload, payload_digest, occurred_at)
     SELECT $1, $2 || lpad(n::text, 8, '0'), 1000 + n, 'role.created', $1, 'system', '{"data":{"number":' || n || '}}', '', now()
     FROM generate_series(1, $3::int) n`,
    [tenant, numbered('event'), EVENTS],
  );
  await sql.query(
    `INSERT INTO deliveries (tenant_id, event_id, id, webhook_id, organization_id, event_type, sequence, next_attempt_at, created_at)
     SELECT $1, e.id, $2 || lpad((row_number() OVER ())::text, 8, '0'), w.id, $1, e.type, e.position - 1000, now(), now()
     FROM events e CROSS JOIN webhooks w WHERE e.type = 'role.created'`,
    [tenant, numbered('delivery')],
  );
  await sql.query('ANALYZE deliveries');
  await sql.end();
}

it(`a worker starts to send ${WEBHOOKS * EVENTS} due deliveries within 10 s`, async () => {
  const spawnedAt = performance.now();
  const worker = await service.start();
  const startedAt = performance.now();
  await eventually(() => received > 0, 60_000, 'the first delivery');
  const firstAt = performance.now();

  const samples: number[] = [];
  for (let share = 0.2; share <= 1; share += 0.2) {
    await eventually(() => received >= DELIVERED * share, LIMIT_MS, `${DELIVERED * share} deliveries`);
    samples.push(Math.round(worker.memoryMb));
  }
  const perSecond = Math.round((received / (performance.now() - firstAt)) * 1_000);
  process.stdout.write(
    `backlog of ${WEBHOOKS * EVENTS}: ready after ${Math.round(startedAt - spawnedAt)} ms, first delivery ${Math.round(firstAt - startedAt)} ms later; ` +
      `${received} at ${perSecond}/s, memory ${samples.join(', ')} MB\n`,
  );
  await worker.terminate();
  expect(firstAt - startedAt).toBeLessThan(STARTS_WITHIN_MS);
  expect(Math.max(...samples)).toBeLessThan(MEMORY_MAX_MB);
  expect(samples.at(-1)! - samples[0]!).toBeLessThan(GROWTH_MAX_MB);
});
