import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '#platform/common';
import { ensurePartitions } from '#platform/database';
import { EventRedaction, EventRetention } from '#platform/event-log';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { numberedEvents } from '../support/event-log.js';
import { openPool } from '../support/pool.js';

const DAY_MS = 24 * 3_600_000;
/** Nothing listens at this address, so deliveries stay pending. */
const DEAD_URL = 'http://127.0.0.1:9/hooks';

describe('event retention', () => {
  let app: TestApp;
  let now: () => Date;
  const at = '/v1/organizations/acme';

  const retainAfter = async (days: number) => {
    app.app.get(Clock).now = () => new Date(Date.now() + days * DAY_MS);
    await app.app.get(EventRetention).run();
    app.app.get(Clock).now = now;
  };
  const redactAfter = async (days: number) => {
    app.app.get(Clock).now = () => new Date(Date.now() + days * DAY_MS);
    await app.app.get(EventRedaction).run();
    app.app.get(Clock).now = now;
  };
  const partitions = async (table: string) =>
    (
      await app.database.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ $1 ORDER BY 1`,
        [`^${table}_\\d{8}$`],
      )
    ).map(({ name }) => name);
  const count = async (table: string) =>
    (await app.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]!.count;
  const metric = async (line: string) =>
    Number(
      new RegExp(`^${line.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec((await app.api.anonymous.get('/metrics')).body)?.[1],
    );

  const createWebhook = async (): Promise<string> =>
    (await app.api.platform.post(`${at}/webhooks`, { url: DEAD_URL, events: ['user.*'] }).expect(201)).body.data.id;
  /** Creates a user and deletes the user permanently, which publishes two events. */
  const createAndDeleteUser = async () => {
    const { id } = (await app.api.platform.post(`${at}/users`, { email: 'ada@example.com' }).expect(201)).body.data;
    await app.api.platform.delete(`${at}/users/${id}?permanent=true`).expect(204);
    await numberedEvents(app);
  };
  /** Creates two failed deliveries with one attempt each and no retry. */
  const failedDeliveries = async () => {
    const webhook = await createWebhook();
    await createAndDeleteUser();
    await eventually(async () => (await count('delivery_attempts')) === 2, 20_000, 'both deliveries were tried');
    await app.api.platform.delete(`${at}/webhooks/${webhook}`).expect(204);
    await app.database.query(`UPDATE deliveries SET status = 'failed', next_attempt_at = NULL`);
  };

  // Retention applies to whole tables, so each test has its own database.
  beforeEach(async () => {
    app = await startApp();
    const clock = app.app.get(Clock);
    now = clock.now.bind(clock);
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await numberedEvents(app);
  });
  afterEach(() => app.close());

  it('creates partitions for the coming weeks', async () => {
    const before = await partitions('events');
    await retainAfter(14);
    const after = await partitions('events');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThanOrEqual(before.length + 1);
    expect(await metric('event_log_partitions{table="events"}')).toBe(after.length);
    expect(await metric('event_log_oldest_week_timestamp_seconds')).toBeGreaterThan(0);
  });

  it('keeps events with pending deliveries', async () => {
    await createWebhook();
    await createAndDeleteUser();
    await redactAfter(6);
    await retainAfter(200);
    expect(await count('events')).toBeGreaterThanOrEqual(3);
    expect(await count('deliveries')).toBe(2);
    expect(await metric('event_log_partitions_held{table="events"}')).toBe(1);
    expect(await metric('event_log_partitions_held{table="deliveries"}')).toBe(1);
    expect(await count(`events WHERE redacted_at IS NOT NULL`)).toBe(0);
    // After the time limit, personal data is redacted although deliveries are pending.
    await redactAfter(8);
    expect(await count(`events WHERE payload LIKE '%ada@example.com%'`)).toBe(0);
  });

  it('waits for readers without blocking writers', async () => {
    await failedDeliveries();
    // Creating partitions waits for readers, so the partitions are created before the reader starts.
    await ensurePartitions((sql) => app.database.query(sql), new Date(Date.now() + 45 * DAY_MS));
    const reader = openPool(app.config.databaseUrl, 1);
    const client = await reader.connect();
    await client.query('BEGIN');
    await client.query('SELECT count(*) FROM deliveries');
    const retained = retainAfter(45);
    const waitsForTable = `SELECT FROM pg_locks
      WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'deliveries'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await eventually(async () => (await app.database.query(waitsForTable)).length > 0, 20_000, 'retention waits for the table');
    // The retention run that waits for the table blocks writers only for a short time.
    const startedAt = performance.now();
    await app.api.platform.post(`${at}/roles`, { name: 'written by now' }).expect(201);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await client.query('COMMIT');
    client.release();
    await reader.end();
    await retained;
    expect(await count('deliveries')).toBe(0);
    expect(await count('delivery_attempts')).toBe(0);
    expect(await count('events')).toBeGreaterThanOrEqual(3);
    expect(await metric('event_log_partitions_dropped_total{table="deliveries"}')).toBeGreaterThan(0);
  });

  it('drops expired events and rejects cursors of readers that missed events', async () => {
    await createAndDeleteUser();
    await redactAfter(1);
    expect(await count('event_redactions')).toBe(1);
    const last = (await app.api.platform.get(`${at}/events?limit=1`).expect(200)).body.data[0];
    const first = (await app.api.platform.get(`${at}/events?limit=1&sort=position`).expect(200)).body.data[0];
    await retainAfter(200);
    expect(await count('events')).toBe(0);
    expect(await count('event_redactions')).toBe(0);
    expect(await metric('event_log_partitions_dropped_total{table="events"}')).toBeGreaterThan(0);
    const response = await app.api.platform.get(`${at}/events?sort=position&after=${first.id}`).expect(400);
    expect(response.body.code).toBe('cursor_gone');
    const resumeHeaders = { headers: { 'last-event-id': String(first.position) } };
    expect((await app.api.platform.get(`${at}/events/stream`, resumeHeaders).expect(400)).body.code).toBe('cursor_gone');
    await app.api.platform.get(`${at}/events/stream`, { headers: { 'last-event-id': String(last.position) } }).expect(200);
    await app.api.platform.get(`${at}/events/${first.id}`).expect(404);
    await app.api.platform.post(`${at}/roles`, { name: 'goes on' }).expect(201);
    await numberedEvents(app);
    const [next] = (await app.api.platform.get(`${at}/events`).expect(200)).body.data;
    expect(next.position).toBe(last.position + 1);
  });
});
