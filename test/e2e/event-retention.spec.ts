import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensurePartitions } from '#platform/database';
import { EventRedaction, EventRetention } from '#platform/event-log';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { numberedEvents } from '../support/event-log.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { openPool } from '../support/pool.js';
import { later } from '../support/sign-in.js';

const DAY_MS = 24 * 3_600_000;
/** Nothing listens at this address, so deliveries stay pending. */
const DEAD_URL = 'http://127.0.0.1:9/hooks';

describe('event retention', () => {
  let app: TestApp;
  const at = '/v1/organizations/acme';

  const retainAfter = (days: number) => later(app, days * DAY_MS, () => app.app.get(EventRetention).run());
  const redactAfter = (days: number) => later(app, days * DAY_MS, () => app.app.get(EventRedaction).run());
  const partitions = () =>
    app.database.query(`SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^events_\\d{8}$' ORDER BY 1`);
  const count = async (table: string) =>
    (await app.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]!.count;
  const metric = async (line: string) =>
    Number(
      new RegExp(`^${line.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec((await app.api.anonymous.get('/metrics')).body)?.[1],
    );

  const createWebhook = async (): Promise<string> =>
    (await made(app, `${at}/webhooks`, { url: DEAD_URL, events: ['user.*'] })).id;
  /** Creates a user and deletes the user permanently, which publishes two events. */
  const createAndDeleteUser = async () => {
    const { id } = await made(app, `${at}/users`, { email: 'ada@example.com' });
    await app.api.platform.delete(`${at}/users/${id}?permanent=true`).expect(204);
    await numberedEvents(app);
  };

  // Retention applies to whole tables, so each test has its own database.
  beforeEach(async () => {
    app = await startApp();
    await newOrganization(app, { slug: 'acme' });
    await numberedEvents(app);
  });
  afterEach(() => app.close());

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
    const webhook = await createWebhook();
    await createAndDeleteUser();
    await eventually(async () => (await count('delivery_attempts')) === 2, 20_000, 'both deliveries were tried');
    await app.api.platform.delete(`${at}/webhooks/${webhook}`).expect(204);
    await app.database.query(`UPDATE deliveries SET status = 'failed', next_attempt_at = NULL`);
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

  it('creates partitions for the coming weeks, drops expired events and rejects cursors of readers that missed events', async () => {
    const before = await partitions();
    await retainAfter(14);
    const after = await partitions();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThanOrEqual(before.length + 1);
    expect(await metric('event_log_partitions{table="events"}')).toBe(after.length);
    expect(await metric('event_log_oldest_week_timestamp_seconds')).toBeGreaterThan(0);
    await createAndDeleteUser();
    await redactAfter(1);
    expect(await count('event_redactions')).toBe(1);
    const [last] = await read(app, `${at}/events?limit=1`);
    const [first] = await read(app, `${at}/events?limit=1&sort=position`);
    await retainAfter(200);
    expect(await count('events')).toBe(0);
    expect(await count('event_redactions')).toBe(0);
    expect(await metric('event_log_partitions_dropped_total{table="events"}')).toBeGreaterThan(0);
    const stream = (position: number) =>
      app.api.platform.get(`${at}/events/stream`, { headers: { 'last-event-id': String(position) } });
    for (const rejected of [app.api.platform.get(`${at}/events?sort=position&after=${first.id}`), stream(first.position)])
      expect((await rejected.expect(400)).body.code).toBe('cursor_gone');
    await stream(last.position).expect(200);
    await app.api.platform.get(`${at}/events/${first.id}`).expect(404);
    await app.api.platform.post(`${at}/roles`, { name: 'goes on' }).expect(201);
    await numberedEvents(app);
    const [next] = await read(app, `${at}/events`);
    expect(next.position).toBe(last.position + 1);
  });
});
