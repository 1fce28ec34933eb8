import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, systemContext } from '#platform/common';
import { ensurePartitions, TransactionRunner } from '#platform/database';
import { EventRedaction, EventRetention } from '#platform/event-log';
import { DomainEventBus, EVENTS } from '#platform/events';
import { ChainCatchUp } from '../../libs/platform/event-log/src/chain/chain-catch-up.js';
import { startApp, type TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { numberedEvents } from '../support/event-log.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { DAY_MS, HOUR_MS, later } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';
import { eventually } from '../support/delivery-app.js';
import { openPool } from '../support/pool.js';

const OLD_EVENTS = sized(100, 3_000, 3_000);

/** The columns of a numbered row, each with an assignment that tampers with the column. */
const CHANGES: Record<string, string> = {
  id: `id = overlay(id PLACING CASE substr(id, 30, 1) WHEN '0' THEN '1' ELSE '0' END FROM 30)`,
  seq: 'seq = seq + 1000',
  position: 'position = position + 1000',
  type: `type = 'role.deleted'`,
  organization_id: `organization_id = 'org_other'`,
  parent_organization_id: `parent_organization_id = 'org_other'`,
  ancestor_ids: `ancestor_ids = '{org_other}'`,
  user_id: `user_id = 'usr_other'`,
  actor_type: `actor_type = 'user'`,
  actor_id: `actor_id = 'usr_other'`,
  payload: `payload = replace(payload, '"data"', '"data" ')`,
  'data in the payload': `payload = replace(payload, 'role 7', 'role 8')`,
  payload_digest: `payload_digest = sha256('x')`,
  'payload and its digest': `payload = '{"data":{}}', payload_digest = sha256('{"data":{}}')`,
  chain_hash: `chain_hash = sha256('x')`,
  'chain_hash to NULL': 'chain_hash = NULL',
  redacted_at: 'redacted_at = now()',
  // Citus accepts only immutable functions of columns in updates: addition to a time without time zone.
  occurred_at: `occurred_at = (occurred_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC'`,
  created_at: `created_at = (created_at AT TIME ZONE 'UTC' - interval '1 day') AT TIME ZONE 'UTC'`,
  envelope_digest: `envelope_digest = sha256('x')`,
  data_digest: `data_digest = sha256('x')`,
  tenant_id: `tenant_id = 'org_other'`,
};

let insertedEvents = 0;

class EventLog {
  constructor(readonly app: TestApp) {}

  /** Creates an organization with a child organization and ten roles: twelve events. */
  async newTenant() {
    const { id } = await newOrganization(this.app);
    const { id: branchId } = await newOrganization(this.app, { parentId: id });
    for (let index = 0; index < 10; index++) await this.createRole(id, `role ${index}`);
    await numberedEvents(this.app);
    return { id: id as string, branchId: branchId as string, path: at(id) };
  }

  createRole(organizationId: string, name: string): Promise<TestBody> {
    return made(this.app, at(organizationId, '/roles'), { name });
  }

  /** Inserts events with ids of the year 1970. Current events are in another partition. */
  async insertEvents(tenantId: string, count: number): Promise<void> {
    const first = insertedEvents + 1;
    insertedEvents += count;
    await this.app.database.query(
      `INSERT INTO events (tenant_id, id, type, organization_id, actor_type, payload, payload_digest, occurred_at)
       SELECT $1, 'evt_' || lpad(number::text, 26, '0'), 'role.created', $1, 'system', '{"data":{}}', sha256('{"data":{}}'), now()
       FROM generate_series($2::int, $3::int) number`,
      [tenantId, first, insertedEvents],
    );
    await numberedEvents(this.app);
  }

  async verify(organizationId: string, query = ''): Promise<TestBody> {
    await numberedEvents(this.app);
    return read(this.app, at(organizationId, `/events/verify${query}`));
  }

  /** Changes the table, verifies the log of an organization, and restores the table. */
  async verifyTampered(statement: string, organizationId: string): Promise<TestBody> {
    await this.app.database.query('CREATE TABLE kept AS SELECT * FROM events');
    try {
      await this.app.database.query(statement);
      return await this.verify(organizationId);
    } finally {
      await this.app.database.query('DELETE FROM events');
      await this.app.database.query('INSERT INTO events SELECT * FROM kept');
      await this.app.database.query('DROP TABLE kept');
    }
  }
}

describe('event log verification', () => {
  const app = testApp();
  const log = new EventLog(app);
  /** The tenant of the tests that only read. A test that writes events creates its own tenant. */
  let acme: Awaited<ReturnType<EventLog['newTenant']>>;
  beforeAll(async () => {
    acme = await log.newTenant();
  });

  it('accepts an unchanged event log', async () => {
    const verification = await log.verify(acme.id);
    expect(verification).toMatchObject({ valid: true, checked: 12, firstInvalid: null, redacted: 0, unchained: 0, anchors: [] });
    expect(verification.from!.position).toBe(1);
    expect(verification.to).toEqual(verification.head);
    expect(verification.head).toMatchObject({ position: 12, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const [listed] = await read(app, `${acme.path}/events?limit=1`);
    expect(listed).toMatchObject({ position: 12, chainHash: verification.head!.hash });
    for (const [query, part] of [
      ['fromPosition=5&toPosition=8', { checked: 4, from: { position: 5 }, to: { position: 8 } }],
      [`since=${new Date(Date.now() + DAY_MS).toISOString()}`, { checked: 0 }],
      ['since=2020-01-01T00:00:00Z', { checked: 12 }],
      ['until=2020-01-01T00:00:00Z', { checked: 0, from: null }],
      ['fromPosition=500', { checked: 0 }],
    ] as const)
      expect(await log.verify(acme.id, `?${query}`)).toMatchObject({ valid: true, ...part });
  });

  // Citus rejects changes of the column that distributes the rows.
  const columns = Object.keys(CHANGES).filter((column) => column !== 'tenant_id' || !process.env['TEST_CITUS']);
  it.each(columns)('detects a change of %s', async (column) => {
    const change = `UPDATE events SET ${CHANGES[column]} WHERE tenant_id = '${acme.id}' AND position = 10`;
    expect(await log.verifyTampered(change, acme.id)).toMatchObject({ valid: false, firstInvalid: { position: 10 } });
  });

  it.each([1, 7, 12])('detects the removal of position %i', async (position) => {
    const removal = `DELETE FROM events WHERE tenant_id = '${acme.id}' AND position = ${position}`;
    const firstInvalid = { position, eventId: null, reason: 'missing' };
    expect(await log.verifyTampered(removal, acme.id)).toMatchObject({ valid: false, firstInvalid });
  });

  it.each([0, -5, 7, 13, 99])('detects the insertion of a row at position %i', async (position) => {
    const columns = `tenant_id, type, organization_id, ancestor_ids, actor_type, payload, payload_digest, chain_hash, occurred_at`;
    const insertion = `INSERT INTO events (id, position, ${columns})
      SELECT 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz', ${position}, ${columns} FROM events WHERE tenant_id = '${acme.id}' AND position = 7`;
    const verification = await log.verifyTampered(insertion, acme.id);
    expect(verification.firstInvalid).toEqual({ position, eventId: 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz', reason: 'unexpected' });
  });

  it('hides the ids of parent events from a child organization', async () => {
    const change = `UPDATE events SET user_id = 'x' WHERE tenant_id = '${acme.id}' AND position = 10`;
    const verification = await log.verifyTampered(change, acme.branchId);
    expect(verification.firstInvalid).toEqual({ position: 10, eventId: null, reason: 'link_broken' });
  });

  it('runs one verification at a time for each tenant', async () => {
    const tenant = await log.newTenant();
    await log.insertEvents(tenant.id, 3_000);
    const responses = await Promise.all(Array.from({ length: 4 }, () => app.api.platform.get(`${tenant.path}/events/verify`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(responses.find(({ status }) => status === 429)!.body.code).toBe('verification_under_way');
    expect(responses.find(({ status }) => status === 200)!.body.data).toMatchObject({ valid: true, checked: 3_012 });
  });

  it('adds events of an earlier release to the hash chain', async () => {
    const catchUp = app.app.get(ChainCatchUp);
    // Stops the background runs, so that the catch-up runs only when the test calls it.
    await catchUp.onModuleDestroy();
    const tenant = await log.newTenant();
    await log.insertEvents(tenant.id, 2_100);
    await app.database.query('UPDATE events SET chain_hash = NULL WHERE tenant_id = $1 AND position > 8', [tenant.id]);
    await app.database.query(
      `UPDATE event_streams SET chained_position = 8, last_chain_hash =
         (SELECT chain_hash FROM events e WHERE e.tenant_id = event_streams.tenant_id AND position = 8) WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect(await log.verify(tenant.id)).toMatchObject({ valid: true, checked: 8, unchained: 2_104, head: { position: 8 } });
    // Events that are published during the catch-up are numbered first and chained later.
    await log.createRole(tenant.id, 'before');
    expect(await log.verify(tenant.id)).toMatchObject({ valid: true, unchained: 2_105 });
    while (await catchUp.run());
    await log.createRole(tenant.id, 'after');
    expect(await log.verify(tenant.id)).toMatchObject({ valid: true, checked: 2_114, unchained: 0 });
  });

  it('accepts the redaction of all personal data of a user', async () => {
    const { platform } = app.api;
    const tenant = await log.newTenant();
    const users = `${tenant.path}/users`;
    const { id } = await made(app, users, { email: 'ada.lovelace@example.com', firstName: 'Adaline' });
    await platform.patch(`${users}/${id}`, { firstName: 'Augusta' }).expect(200);
    await made(app, `${users}/${id}/roles`, { roleId: 'role_viewer' });
    const actor = { type: 'user', id, email: 'ada.lovelace@example.com' } as const;
    const ctx = { ...systemContext(newId('request')), actor, ipAddress: '203.0.113.77' };
    const organization = { id: tenant.id, tenantId: tenant.id, name: 'Acme', ancestorIds: [] };
    const done = { ...EVENTS['role.created'].example, name: 'made by Ada' };
    await app.app
      .get(TransactionRunner)
      .run(ctx, (ctx) => app.app.get(DomainEventBus).publish(ctx, 'role.created', organization, done));
    await platform.delete(`${users}/${id}?permanent=true`).expect(204);
    const before = await log.verify(tenant.id);
    await app.app.get(EventRedaction).run();
    expect((await log.verify(tenant.id)).redacted).toBe(0);
    await later(app, 2 * HOUR_MS, () => app.app.get(EventRedaction).run());
    const traces = await app.database.query(
      `SELECT type FROM events WHERE payload ~ 'ada.lovelace|Adaline|Augusta|203.0.113.77' OR (user_id = $1 AND redacted_at IS NULL)`,
      [id],
    );
    expect(traces).toEqual([]);
    const data = await read(app, `${tenant.path}/events?userId=${id}`);
    expect(data.length).toBeGreaterThanOrEqual(4);
    for (const event of data) {
      expect(event).toMatchObject({ data: {}, organization: { id: tenant.id, name: '' }, redactedAt: expect.any(String) });
      expect(event.metadata).toBeUndefined();
    }
    // Events that the user caused are kept without personal data.
    const [caused] = await read(app, `${tenant.path}/events?actorId=${id}`);
    expect(caused).toMatchObject({ data: { name: 'made by Ada' }, redactedAt: expect.any(String) });
    expect(caused.actor).toEqual({ type: 'user', id });
    const after = await log.verify(tenant.id);
    expect(after).toMatchObject({ valid: true, checked: before.checked, redacted: data.length + 1, head: before.head });
    const [request] = await app.database.query('SELECT completed_at FROM event_redactions WHERE user_id = $1', [id]);
    expect(request).toMatchObject({ completed_at: expect.any(Date) });
    // Verification detects a forged redaction.
    for (const [from, to] of [
      ['"data":{}', '"data":{"a":1}'],
      ['made by Ada', 'made by Eve'],
    ]) {
      const forged = `UPDATE events SET payload = replace(payload, '${from}', '${to}') WHERE tenant_id = '${tenant.id}' AND redacted_at IS NOT NULL`;
      expect(await log.verifyTampered(forged, tenant.id)).toMatchObject({ firstInvalid: { reason: 'content_changed' } });
    }
  });
});

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

  it('is accepted by the verification, which detects later tampering', async () => {
    const log = new EventLog(app);
    const tenant = await log.newTenant();
    await log.insertEvents(tenant.id, OLD_EVENTS);
    await log.createRole(tenant.id, 'before retention');
    const before = await log.verify(tenant.id);
    await retainAfter(200);
    expect(await count('events')).toBe(0);
    const { anchors, ...emptied } = await log.verify(tenant.id);
    expect(emptied).toMatchObject({ valid: true, checked: 0, head: before.head });
    // The inserted events have ids of 1970. Retention removes them with their partition, as a separate range.
    expect(anchors.map(({ fromPosition, toPosition }: TestBody) => [fromPosition, toPosition])).toEqual([
      [1, 12],
      [13, 12 + OLD_EVENTS],
      [13 + OLD_EVENTS, 13 + OLD_EVENTS],
    ]);
    expect(anchors.at(-1)).toMatchObject({ hash: before.head!.hash });
    await log.createRole(tenant.id, 'after retention');
    await log.createRole(tenant.id, 'and another');
    const { position } = before.head!;
    expect(await log.verify(tenant.id)).toMatchObject({ valid: true, checked: 2, from: { position: position + 1 } });
    expect(await read(app, `${tenant.path}/events`)).toHaveLength(2);
    const change = `UPDATE events SET user_id = 'x' WHERE tenant_id = '${tenant.id}' AND position = ${position + 1}`;
    expect(await log.verifyTampered(change, tenant.id)).toMatchObject({ valid: false });
    const moveToRemoved = `UPDATE events SET position = 5 WHERE tenant_id = '${tenant.id}' AND position = ${position + 2}`;
    const firstInvalid = { position: 5, reason: 'unexpected' };
    expect(await log.verifyTampered(moveToRemoved, tenant.id)).toMatchObject({ firstInvalid });
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
      await rejected.expect(400, 'cursor_gone');
    await stream(last.position).expect(200);
    await app.api.platform.get(`${at}/events/${first.id}`).expect(404);
    await app.api.platform.post(`${at}/roles`, { name: 'goes on' }).expect(201);
    await numberedEvents(app);
    const [next] = await read(app, `${at}/events`);
    expect(next.position).toBe(last.position + 1);
  });
});
