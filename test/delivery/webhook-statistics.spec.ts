import { beforeAll, describe, expect, it } from '@jest/globals';
import { firstIdAt } from '#platform/common';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const AT = '/v1/organizations/acme';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_DAY = Date.parse('2026-03-01T00:00:00Z');
const NO_DELIVERIES = { pending: 0, delivered: 0, failed: 0, skipped: 0 };

const app = testApp({ webhookRetryScheduleMs: [50] });
const receiver = testReceiver((_, index) => ({ status: index === 0 ? 500 : 200 }));
let tenantId: string;
let attempts: ReturnType<typeof someAttempts>;

const iso = (atMs: number) => new Date(atMs).toISOString();
const createWebhook = async (event = 'user.created'): Promise<string> =>
  (await made(app, `${AT}/webhooks`, { url: receiver.url, events: [event] })).id;
const statistics = (webhook: string, query: string): Promise<TestBody> =>
  read(app, `${AT}/webhooks/${webhook}/statistics?${query}`);

/** Returns attempts on two days. Some attempts are at the first millisecond of an hour. */
function someAttempts() {
  return Array.from({ length: 500 }, (_, index) => ({
    atMs: FIRST_DAY + (index % 10 === 0 ? (index % 48) * HOUR_MS : (index * 345_678) % (2 * DAY_MS)),
    responseTimeMs: (index * 7919) % 900,
    failed: index % 4 === 0,
  })).filter(({ atMs }) => Math.floor((atMs - FIRST_DAY) / HOUR_MS) % 5 !== 3);
}

async function insertAttempts(webhook: string): Promise<void> {
  const ids = attempts.map(
    ({ atMs }, index) => `${firstIdAt('event', new Date(atMs)).slice(0, -6)}${String(index).padStart(6, '0')}`,
  );
  await app.database.query(
    `INSERT INTO delivery_attempts (tenant_id, event_id, delivery_id, id, webhook_id, number, started_at, response_time_ms, error_kind)
     SELECT $1, id, id, id, $2, 1, at, ms, kind FROM unnest($3::text[], $4::timestamptz[], $5::int[], $6::text[]) AS a (id, at, ms, kind)`,
    [
      tenantId,
      webhook,
      ids,
      attempts.map(({ atMs }) => iso(atMs)),
      attempts.map(({ responseTimeMs }) => responseTimeMs),
      attempts.map(({ failed }) => (failed ? 'status' : null)),
    ],
  );
}

/** Returns the expected intervals. Counts the attempts without SQL. */
function expected(sinceMs: number, untilMs: number, intervalMs: number): object[] {
  const starts = Array.from({ length: Math.ceil((untilMs - sinceMs) / intervalMs) }, (_, index) => sinceMs + index * intervalMs);
  return starts.map((startMs) => {
    const within = attempts.filter(({ atMs }) => atMs >= startMs && atMs < Math.min(startMs + intervalMs, untilMs));
    const times = within.map(({ responseTimeMs }) => responseTimeMs).sort((a, b) => a - b);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? null;
    const failed = within.filter((attempt) => attempt.failed).length;
    return { start: iso(startMs), succeeded: within.length - failed, failed, responseTime: { p50: at(0.5), p95: at(0.95) } };
  });
}

beforeAll(async () => {
  tenantId = (await newOrganization(app, { slug: 'acme' })).id;
  attempts = someAttempts();
});

describe('statistics of a webhook', () => {
  it.each([
    ['hour', HOUR_MS, 0, 48 * HOUR_MS],
    ['hour', HOUR_MS, -3 * HOUR_MS, 5.5 * HOUR_MS],
    ['day', DAY_MS, -DAY_MS, 3 * DAY_MS],
    ['hour', HOUR_MS, -700 * HOUR_MS, 44 * HOUR_MS],
  ])('count attempts per %s, including intervals without attempts', async (interval, intervalMs, fromMs, toMs) => {
    const webhook = await createWebhook();
    await insertAttempts(webhook);
    const [sinceMs, untilMs] = [FIRST_DAY + fromMs, FIRST_DAY + toMs];

    const { buckets, totals, ...rest } = await statistics(
      webhook,
      `since=${iso(sinceMs)}&until=${iso(untilMs)}&interval=${interval}`,
    );
    expect(buckets).toEqual(expected(sinceMs, untilMs, intervalMs));
    expect(rest).toEqual({ since: iso(sinceMs), until: iso(untilMs), interval });
    const within = attempts.filter(({ atMs }) => atMs >= sinceMs && atMs < untilMs);
    const failed = within.filter((attempt) => attempt.failed).length;
    const succeeded = within.length - failed;
    const successRate = Math.round((succeeded / within.length) * 10_000) / 10_000;
    expect(totals).toEqual({ succeeded, failed, successRate, deliveries: NO_DELIVERIES });
    await app.database.query('DELETE FROM delivery_attempts WHERE webhook_id = $1', [webhook]);
  });

  it('start at the beginning of an hour or a day, and contain the last 24 hours by default', async () => {
    const webhook = await createWebhook();
    const since = iso(FIRST_DAY + 1.7 * DAY_MS);
    const until = iso(FIRST_DAY + 2 * DAY_MS);
    expect((await statistics(webhook, `since=${since}&until=${until}&interval=day`)).since).toBe(iso(FIRST_DAY + DAY_MS));
    const usual = await statistics(webhook, '');
    expect(usual.buckets).toHaveLength(24);
    expect(usual.totals).toEqual({ succeeded: 0, failed: 0, successRate: null, deliveries: NO_DELIVERIES });
    expect(usual.buckets[23]).toMatchObject({ succeeded: 0, responseTime: { p50: null, p95: null } });
    expect((await statistics(webhook, 'interval=day')).buckets).toHaveLength(30);
  });

  it.each([
    ['more than 744 hours', `since=${iso(FIRST_DAY)}&until=${iso(FIRST_DAY + 744 * HOUR_MS + 1)}`],
    ['an end before the start', `since=${iso(FIRST_DAY)}&until=${iso(FIRST_DAY - 1)}`],
  ])('return 400 for %s', async (_, query) => {
    const webhook = await createWebhook();
    const rejected = await app.api.platform.get(`${AT}/webhooks/${webhook}/statistics?${query}`).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/since' }]);
  });

  it('exclude test deliveries from the number of deliveries', async () => {
    const webhook = await createWebhook('role.created');
    await made(app, `${AT}/roles`, { name: 'Counted' });
    const done = async () => (await statistics(webhook, '')).totals.deliveries.delivered === 1;
    await eventually(done, 10_000, 'the second attempt succeeded');
    await app.api.platform.post(`${AT}/webhooks/${webhook}/test`, { eventType: 'user.created' }).expect(200);
    const { totals, buckets } = await statistics(webhook, '');
    expect(totals).toEqual({ succeeded: 1, failed: 1, successRate: 0.5, deliveries: { ...NO_DELIVERIES, delivered: 1 } });
    expect(buckets.at(-1).responseTime.p95).toBeGreaterThanOrEqual(0);
  });
});
