import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock, newId, systemContext } from '#common';
import { TransactionRunner } from '#database';
import { EventRedaction, EventRetention } from '#event-log';
import { DomainEventBus, EVENTS } from '#events';
import { startApp, type TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Verification {
  valid: boolean;
  checked: number;
  from: { position: number; hash: string } | null;
  to: { position: number; hash: string } | null;
  firstInvalid: { position: number; eventId: string | null; reason: string } | null;
  redacted: number;
  unchained: number;
  anchors: { fromPosition: number; toPosition: number; hash: string }[];
  head: { position: number; hash: string } | null;
}

/** Every column of a numbered row, and how somebody might change it. */
const CHANGES: Record<string, string> = {
  id: `id = overlay(id PLACING '0' FROM 30)`,
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
  'chain_hash taken away': 'chain_hash = NULL',
  redacted_at: 'redacted_at = now()',
  occurred_at: `occurred_at = occurred_at + interval '1 microsecond'`,
  created_at: `created_at = created_at - interval '1 day'`,
  envelope_digest: `envelope_digest = sha256('x')`,
  data_digest: `data_digest = sha256('x')`,
  tenant_id: `tenant_id = 'org_other'`,
};

describe('the verification of the event log', () => {
  let app: TestApp;
  let acme: string;
  const path = '/v1/organizations/acme/events/verify';

  const verify = async (query = '', at = path): Promise<Verification> => {
    await numberedEvents(app);
    return (await app.api.platform.get(`${at}${query}`).expect(200)).body.data;
  };
  const role = (name: string) => app.api.platform.post('/v1/organizations/acme/roles', { name }).expect(201);
  const sql = (text: string, parameters: unknown[] = []) => app.database.query(text, parameters);
  /** Runs with a table that was tampered with, and mends it afterwards. */
  async function tamperedWith<T>(statement: string, run: () => Promise<T>): Promise<T> {
    await sql('CREATE TABLE kept AS SELECT * FROM events');
    await sql(statement);
    try {
      return await run();
    } finally {
      await sql('DELETE FROM events');
      await sql('INSERT INTO events SELECT * FROM kept');
      await sql('DROP TABLE kept');
    }
  }

  beforeAll(async () => {
    app = await startApp();
    const { platform } = app.api;
    acme = (await platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
    await platform.post('/v1/organizations', { name: 'Branch', slug: 'branch', parentId: 'acme' }).expect(201);
    await platform.post('/v1/organizations', { name: 'Other', slug: 'other' }).expect(201);
    for (let index = 0; index < 10; index++) await role(`role ${index}`);
    await numberedEvents(app);
  });
  afterAll(() => app.close());

  it('finds nothing wrong with what the service wrote', async () => {
    const whole = await verify();
    expect(whole).toMatchObject({ valid: true, checked: 12, firstInvalid: null, redacted: 0, unchained: 0, anchors: [] });
    expect(whole.from!.position).toBe(1);
    expect(whole.to).toEqual(whole.head);
    expect(whole.head).toMatchObject({ position: 12, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const listed = (await app.api.platform.get('/v1/organizations/acme/events?limit=1').expect(200)).body.data[0];
    expect(listed).toMatchObject({ position: 12, chainHash: whole.head!.hash });
    expect(await verify('?fromPosition=5&toPosition=8')).toMatchObject({
      valid: true,
      checked: 4,
      from: { position: 5 },
      to: { position: 8 },
    });
    expect(await verify(`?since=${new Date(Date.now() + DAY_MS).toISOString()}`)).toMatchObject({ valid: true, checked: 0 });
    expect(await verify('?since=2020-01-01T00:00:00Z')).toMatchObject({ valid: true, checked: 12 });
    expect(await verify('?until=2020-01-01T00:00:00Z')).toMatchObject({ valid: true, checked: 0, from: null });
    expect(await verify('?fromPosition=500')).toMatchObject({ valid: true, checked: 0 });
    await app.api.platform.get(`${path}?fromPosition=0`).expect(400);
  });

  it.each(Object.keys(CHANGES))('finds a change of %s', async (column) => {
    const change = `UPDATE events SET ${CHANGES[column]} WHERE tenant_id = '${acme}' AND position = 10`;
    const found = await tamperedWith(change, verify);
    expect(found).toMatchObject({ valid: false, checked: expect.any(Number) });
    expect(found.firstInvalid!.position).toBe(10);
    expect(await verify()).toMatchObject({ valid: true });
  });

  it.each([1, 7, 12])('finds that position %i was removed', async (position) => {
    const removal = `DELETE FROM events WHERE tenant_id = '${acme}' AND position = ${position}`;
    const found = await tamperedWith(removal, verify);
    expect(found).toMatchObject({ valid: false, firstInvalid: { position, eventId: null, reason: 'missing' } });
  });

  it.each([
    [0, 0],
    [-5, -5],
    [7, 7],
    [13, 13],
    [99, 99],
  ])('finds a row that was inserted at position %i', async (position, at) => {
    const columns = `tenant_id, type, organization_id, ancestor_ids, actor_type, payload, payload_digest, chain_hash, occurred_at`;
    const insertion = `INSERT INTO events (id, position, ${columns})
      SELECT 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz', ${position}, ${columns} FROM events WHERE tenant_id = '${acme}' AND position = 7`;
    const found = await tamperedWith(insertion, verify);
    expect(found.firstInvalid).toEqual({ position: at, eventId: 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz', reason: 'unexpected' });
  });

  it('shows an organization below whether the log is valid, but not the ids of events elsewhere', async () => {
    const change = `UPDATE events SET user_id = 'x' WHERE tenant_id = '${acme}' AND position = 10`;
    const found = await tamperedWith(change, () => verify('', '/v1/organizations/branch/events/verify'));
    expect(found.firstInvalid).toEqual({ position: 10, eventId: null, reason: 'link_broken' });
  });

  it('verifies one tree at a time once', async () => {
    await sql(`INSERT INTO events (tenant_id, id, type, organization_id, actor_type, payload, payload_digest, occurred_at)
      SELECT '${acme}', 'evt_' || lpad(number::text, 26, '0'), 'role.created', '${acme}', 'system', '{"data":{}}', sha256('{"data":{}}'), now()
      FROM generate_series(1, 3000) number`);
    await numberedEvents(app);
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.api.platform.get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.code).toBe('verification_under_way');
    expect(answers.find(({ status }) => status === 200)!.body.data).toMatchObject({ valid: true, checked: 3_012 });
  });

  it('links events that an earlier release numbered', async () => {
    await numberedEvents(app);
    await sql(`UPDATE events SET chain_hash = NULL WHERE tenant_id = '${acme}' AND position > 8`);
    await sql(
      `UPDATE event_streams SET chained_position = 8, last_chain_hash =
         (SELECT chain_hash FROM events e WHERE e.tenant_id = event_streams.tenant_id AND position = 8) WHERE tenant_id = $1`,
      [acme],
    );
    expect(await verify()).toMatchObject({ valid: true, checked: 8, unchained: 3_004, head: { position: 8 } });
    // What comes meanwhile is numbered without a link, and linked in its turn.
    await role('meanwhile');
    const { valid, unchained } = await verify();
    expect({ valid, unchained }).toEqual({ valid: true, unchained: 3_005 });
    const { ChainCatchUp } = await import('../../libs/event-log/src/chain/chain-catch-up.js');
    while (await app.app.get(ChainCatchUp).run());
    await role('afterwards');
    expect(await verify()).toMatchObject({ valid: true, checked: 3_014, unchained: 0 });
  });

  it('does not take redaction for tampering, and redacts everything of the person', async () => {
    const { platform } = app.api;
    const at = '/v1/organizations/acme/users';
    const { id } = (await platform.post(at, { email: 'ada.lovelace@example.com', firstName: 'Adaline' }).expect(201)).body.data;
    await platform.patch(`${at}/${id}`, { firstName: 'Augusta' }).expect(200);
    await platform.post(`${at}/${id}/roles`, { roleId: 'role_viewer' }).expect(201);
    await numberedEvents(app);
    const actor = { type: 'user', id, email: 'ada.lovelace@example.com' } as const;
    const ctx = { ...systemContext(newId('request')), actor, ipAddress: '203.0.113.77' };
    const organization = { id: acme, tenantId: acme, name: 'Acme', ancestorIds: [] };
    const done = { ...EVENTS['role.created'].example, name: 'made by Ada' };
    await app.app
      .get(TransactionRunner)
      .run(ctx, (ctx) => app.app.get(DomainEventBus).publish(ctx, 'role.created', organization, done));
    await platform.delete(`${at}/${id}?permanent=true`).expect(204);
    await numberedEvents(app);
    const before = await verify();
    await app.app.get(EventRedaction).run();
    expect((await verify()).redacted).toBe(0);
    const clock = app.app.get(Clock);
    const { now } = clock;
    clock.now = () => new Date(Date.now() + 2 * HOUR_MS);
    await app.app.get(EventRedaction).run();
    clock.now = now;
    const traces = await app.database.query(
      `SELECT type FROM events WHERE payload ~ 'ada.lovelace|Adaline|Augusta|203.0.113.77' OR (user_id = $1 AND redacted_at IS NULL)`,
      [id],
    );
    expect(traces).toEqual([]);
    const { data } = (await platform.get(`/v1/organizations/acme/events?userId=${id}`).expect(200)).body;
    expect(data.length).toBeGreaterThanOrEqual(4);
    for (const event of data) {
      expect(event).toMatchObject({ data: {}, organization: { id: acme, name: '' }, redactedAt: expect.any(String) });
      expect(event.metadata).toBeUndefined();
    }
    // What they did stays, without what tells of them.
    const [caused] = (await platform.get(`/v1/organizations/acme/events?actorId=${id}`).expect(200)).body.data;
    expect(caused).toMatchObject({ data: { name: 'made by Ada' }, redactedAt: expect.any(String) });
    expect(caused.actor).toEqual({ type: 'user', id });
    const after = await verify();
    expect(after).toMatchObject({ valid: true, checked: before.checked, redacted: data.length + 1, head: before.head });
    const [request] = await app.database.query('SELECT completed_at FROM event_redactions WHERE user_id = $1', [id]);
    expect(request).toMatchObject({ completed_at: expect.any(Date) });
    // Neither may anybody forge one.
    for (const [from, to] of [
      ['"data":{}', '"data":{"a":1}'],
      ['made by Ada', 'made by Eve'],
    ]) {
      const forged = `UPDATE events SET payload = replace(payload, '${from}', '${to}') WHERE redacted_at IS NOT NULL`;
      expect(await tamperedWith(forged, verify)).toMatchObject({ valid: false, firstInvalid: { reason: 'content_changed' } });
    }
  });

  it('does not take retention for tampering, and finds tampering after it', async () => {
    const before = await verify();
    const clock = app.app.get(Clock);
    const { now } = clock;
    clock.now = () => new Date(Date.now() + 200 * DAY_MS);
    await app.app.get(EventRetention).run();
    const remaining = await sql('SELECT FROM events');
    expect(remaining).toEqual([]);
    const { anchors, ...emptied } = await verify();
    expect(emptied).toMatchObject({ valid: true, checked: 0, head: before.head });
    // Made with ids of another time, those in between lay in another partition and went as a run of their own.
    expect(anchors.map(({ fromPosition, toPosition }) => [fromPosition, toPosition])).toEqual([
      [1, 12],
      [13, 3_012],
      [3_013, before.head!.position],
    ]);
    expect(anchors.at(-1)).toMatchObject({ hash: before.head!.hash });
    await role('after retention');
    await role('and another');
    const later = await verify();
    expect(later).toMatchObject({ valid: true, checked: 2, from: { position: before.head!.position + 1 } });
    const gone = await app.api.platform.get('/v1/organizations/acme/events?sort=position').expect(200);
    expect(gone.body.pagination.total).toBe(2);
    const change = `UPDATE events SET user_id = 'x' WHERE tenant_id = '${acme}' AND position = ${before.head!.position + 1}`;
    expect(await tamperedWith(change, verify)).toMatchObject({ valid: false });
    // A row with a position that retention removed.
    const back = `UPDATE events SET position = 5 WHERE tenant_id = '${acme}' AND position = ${before.head!.position + 2}`;
    expect(await tamperedWith(back, verify)).toMatchObject({ firstInvalid: { position: 5, reason: 'unexpected' } });
    clock.now = now;
  });
});
