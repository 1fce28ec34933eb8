import type { INestApplicationContext } from '@nestjs/common';
import { beforeAll, expect, it } from '@jest/globals';
import { DueDeliveriesQuery } from '../../libs/webhooks/delivery/src/sweeping/due-deliveries.query.js';
import { HeldDeliveriesQuery, type WaitingWebhook } from '../../libs/webhooks/delivery/src/sweeping/held-deliveries.query.js';
import { deliveryTestService } from '../support/delivery-app.js';

const LONG = 1_200;
const HOUR_MS = 3_600_000;

const deliveryTest = deliveryTestService();
let app: INestApplicationContext;

beforeAll(async () => {
  app = await deliveryTest.start({ role: 'api' });
});

it('finds each webhook with waiting deliveries once, however many deliveries wait', async () => {
  const counts = { 't1/a': 1, 't1/long': LONG, 't1/z': 2, 't2/a': 499, 't2/b': 1, 't3/a': 500, 't4/long': LONG };
  for (const [key, count] of Object.entries(counts)) {
    const [tenantId, webhookId] = key.split('/');
    await deliveryTest.sql.query(
      `INSERT INTO deliveries (tenant_id, event_id, id, webhook_id, organization_id, event_type, created_at)
       SELECT $1, $1 || $2 || number, $1 || $2 || number, $2, $1, 'user.created', now() FROM generate_series(1, $3::int) AS number`,
      [tenantId, webhookId, count],
    );
  }
  const held = app.get(HeldDeliveriesQuery, { strict: false });
  const found: string[] = [];
  for (let after: WaitingWebhook | undefined, isComplete = false; !isComplete;) {
    const page = await held.listWaiting(deliveryTest.context(), after);
    found.push(...page.webhooks.map(({ tenantId, webhookId }) => `${tenantId}/${webhookId}`));
    after = page.webhooks.at(-1);
    ({ isComplete } = page);
  }
  expect(found).toEqual(Object.keys(counts));
});

it('measures the age of the oldest event in the outbox, even if other tenants have many events', async () => {
  const ages = { t1: [LONG, HOUR_MS], t2: [1, 3 * HOUR_MS], t3: [LONG, 2 * HOUR_MS] };
  const backlog = () => app.get(DueDeliveriesQuery, { strict: false }).backlog(deliveryTest.context());
  expect((await backlog()).outboxLagMs).toBe(0);
  for (const [tenantId, [count, ageMs]] of Object.entries(ages)) {
    await deliveryTest.sql.query(
      `INSERT INTO events (tenant_id, id, type, organization_id, actor_type, payload, payload_digest, occurred_at, created_at)
       SELECT $1, $1 || number, 'user.created', $1, 'system', '{}', '', now(), now() - $3::float8 * interval '1 ms'
       FROM generate_series(1, $2::int) AS number`,
      [tenantId, count, ageMs],
    );
  }
  expect((await backlog()).outboxLagMs / (3 * HOUR_MS)).toBeCloseTo(1, 1);
});
