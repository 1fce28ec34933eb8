import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { EventRedaction, EventStreams } from '#platform/event-log';
import { DomainEventBus, EVENTS } from '#platform/events';
import { parse } from 'csv-parse/sync';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { numberedEvents } from '../support/event-log.js';
import { EventStreamClient } from '../support/event-stream.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { DAY_MS, later, login } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const STREAM = '/v1/organizations/acme/events/stream';
const HEARTBEAT_MS = 10_000;
/** The time limit of each wait on a busy machine. */
const LIMIT_MS = 20_000;

const app = testApp();

describe('the event log', () => {
  let acme: string;
  let branch: string;
  let user: string;
  let creator: TestClient;
  let halfway: string;

  const events = (organization: string, query = ''): string => at(organization, `/events${query}`);
  const list = async (query = '', organization = acme): Promise<{ data: TestBody[]; pagination: TestBody }> =>
    (await app.api.platform.get(events(organization, query)).expect(200)).body;
  const types = async (query: string, organization = acme) => (await list(query, organization)).data.map(({ type }) => type);
  const idsOf = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);

  beforeAll(async () => {
    acme = (await newOrganization(app)).id;
    branch = (await newOrganization(app, { parentId: acme })).id;
    user = (await newUser(app, acme)).id;
    await sleep(5);
    halfway = new Date().toISOString();
    await sleep(5);
    await newUser(app, acme);
    await app.api.platform.patch(at(acme, `/users/${user}`), { firstName: 'Ada' }).expect(200);
    await newUser(app, branch);
    creator = await keyClient(app, acme, ['events:read', 'roles:write']);
    await creator.post(at(acme, '/roles'), { name: 'billing' }).expect(201);
    await numberedEvents(app);
  });

  it('lists events newest first, in the format of webhooks', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ type }) => type)).toEqual([
      'role.created',
      'security.api_key_created',
      'user.updated',
      'user.created',
      'user.created',
      'organization.created',
    ]);
    expect(pagination).toEqual({ total: 6, page: 1, limit: 20, hasMore: false, nextToPosition: null });
    const positions = data.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => b - a));
    const updated = data[2]!;
    const [row] = await app.database.query<{ payload: string }>('SELECT payload FROM events WHERE id = $1', [updated.id]);
    const { position } = updated;
    const chainHash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(updated).toEqual({ ...JSON.parse(row!.payload), position, redactedAt: null, chainHash });
  });

  it('filters by type, group, actor, user and time, and includes events of descendant organizations only on request', async () => {
    expect(await types('?type=user.updated')).toEqual(['user.updated']);
    expect(await types('?type=user.*')).toEqual(['user.updated', 'user.created', 'user.created']);
    expect(await types('?type=*&limit=2')).toHaveLength(2);
    const rolesAndUpdates = ['role.created', 'user.updated'];
    for (const several of ['?type=role.*&type=user.updated', '?type=user.updated,role.*'])
      expect(await types(several)).toEqual(rolesAndUpdates);
    expect(await types(`?userId=${user}`)).toEqual(['user.updated', 'user.created']);
    const [created] = (await list('?type=role.created')).data;
    expect(await types(`?actorId=${created!.actor.id}`)).toEqual(['role.created']);
    expect(await types(`?until=${halfway}`)).toEqual(['user.created', 'organization.created']);
    expect(await types(`?since=${halfway}&type=user.*`)).toEqual(['user.updated', 'user.created']);
    expect((await list(`?since=${halfway}&type=user.*`)).pagination).toMatchObject({ total: 2 });
    const everything = (await list('?includeDescendants=true')).data;
    expect(everything.map(({ organization }) => organization.id).toSorted()).toEqual(
      [...Array(6).fill(acme), branch, branch].toSorted(),
    );
    expect(await types('?includeDescendants=true', branch)).toEqual(['user.created', 'organization.created']);
  });

  it('finds the words of a search in values, in the list, the stream and the export, but no erased data', async () => {
    const { id } = await newOrganization(app);
    const lucja = await newUser(app, id, { firstName: 'Łucja', metadata: { note: 'a "b\\c"' } });
    const role = await made(app, at(id, '/roles'), { name: 'Billing (EU)' });
    await app.api.platform.patch(at(id, `/users/${lucja.id}`), { firstName: 'Ada' }).expect(200);
    await numberedEvents(app);
    const { requestId } = (await list('?type=role.*', id)).data[0]!.metadata;
    const found: Record<string, string[]> = {
      platform_api_key: ['user.updated', 'role.created', 'user.created', 'organization.created'],
      łucja: ['user.updated', 'user.created'],
      [`${lucja.email.toUpperCase()} "B\\C"`]: ['user.updated'],
      [`  ${role.id}  (eu)`]: ['role.created'],
      [requestId]: ['role.created'],
      firstName: [],
      '.*': [],
    };
    for (const [search, wanted] of Object.entries(found)) {
      const query = `search=${encodeURIComponent(search)}`;
      expect([search, ...(await types(`?${query}`, id))]).toEqual([search, ...wanted]);
      const { body: exported } = await app.api.platform.get(events(id, `/export?${query}`)).expect(200);
      expect(exported.split('\n').flatMap((line: string) => (line ? [JSON.parse(line).type] : []))).toEqual(wanted.toReversed());
    }
    await app.api.platform.delete(at(id, `/users/${lucja.id}?permanent=true`)).expect(204);
    await later(app, DAY_MS, () => app.app.get(EventRedaction).run());
    expect(await types(`?search=${encodeURIComponent('łucja')}`, id)).toEqual([]);
  });

  it('searches the newest 50,000 events, and continues at a position', async () => {
    const { id } = await newOrganization(app);
    await numberedEvents(app);
    const last = 50_010;
    await app.database.query(
      `WITH written AS (
         INSERT INTO events (tenant_id, id, position, type, organization_id, actor_type, payload, payload_digest, chain_hash, occurred_at)
         SELECT $1, 'evt_' || lpad(n::text, 26, '0'), n, 'role.created', $1, 'system',
           '{"id":"evt_' || n || '","organization":{"id":""},"data":{"name":"' || CASE WHEN n IN (3, 20, 40000) THEN 'rare' ELSE 'x' END || '"}}', '', '', now()
         FROM generate_series(2, $2::int) n)
       UPDATE event_streams SET last_position = $2, chained_position = $2 WHERE tenant_id = $1`,
      [id, last],
    );
    const search = async (query: string) => {
      const { data, pagination } = await list(`?search=rare${query}`, id);
      return [data.map(({ position }) => position), pagination.total, pagination.nextToPosition];
    };
    expect(await search('')).toEqual([[40_000, 20], 2, 10]);
    expect(await search('&limit=1')).toEqual([[40_000], 2, 10]);
    expect(await search('&toPosition=10')).toEqual([[3], 1, null]);
    const { body } = await app.api.platform.get(events(id, '/export?format=csv&search=rare')).expect(200);
    expect(body.split('\r\n').map((line: string) => line.split(',')[0])).toEqual(['position', '3', '20', '40000', '']);
  });

  it('exports the filtered events as NDJSON like the list, and as CSV that runs no formula', async () => {
    const { id, slug } = await newOrganization(app);
    const role = await made(app, at(id, '/roles'), { name: '=1+1', description: 'a "b", c' });
    await numberedEvents(app);
    const ndjson = await app.api.platform.get(events(id, '/export?type=role.*,organization.created')).expect(200);
    expect(ndjson.headers.get('content-disposition')).toBe(`attachment; filename="events-${slug}.ndjson"`);
    const listed = (await list('?sort=position&type=role.*,organization.created', id)).data;
    expect(ndjson.body).toBe(listed.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const csv = (await app.api.platform.get(events(id, '/export?format=csv&search=%22b%22,')).expect(200)).body;
    const [event, ...rest] = parse<Record<string, string>>(csv, { columns: true });
    expect(rest).toEqual([]);
    expect(event).toMatchObject({ type: 'role.created', organizationId: id, actorType: 'api', redactedAt: '' });
    expect(JSON.parse(event!['data']!)).toMatchObject({ id: role.id, name: '=1+1' });
    await numberedEvents(app);
    const exports = (await list('?type=organization.events_exported', id)).data.map(({ data }) => data);
    expect(exports).toEqual([
      { format: 'csv', filters: { search: true } },
      { format: 'ndjson', filters: { type: ['role.*', 'organization.created'] } },
    ]);
  });

  it('names platform keys and API keys, and has an actor of its own for requests that nobody signed', async () => {
    const org = (await newOrganization(app)).id;
    const keys = `/v1/organizations/${org}/api-keys`;
    const key = await made(app, keys, { name: 'backend', scopes: ['roles:write'] });
    await app.api.as(key.key).post(at(org, '/roles'), { name: 'billing' }).expect(201);
    await login(app, org, newAddress()).expect(401);
    await numberedEvents(app);
    const actor = async (type: string) => (await list(`?type=${type}`, org)).data[0]!.actor;
    expect(await actor('organization.created')).toEqual({
      type: 'api',
      id: expect.any(String),
      name: expect.any(String),
      platform: true,
    });
    expect(await actor('role.created')).toEqual({ type: 'api', id: key.id, name: 'backend', last4: key.key.slice(-4) });
    expect(await actor('user.login_failed')).toEqual({ type: 'anonymous' });
  });

  it('lists pages in both directions without repeating or skipping events, and counts new events in the total', async () => {
    const all = await idsOf('?includeDescendants=true');
    for (const [sort, wanted] of Object.entries({ '-position': all, position: all.toReversed() })) {
      const seen: string[] = [];
      for (let after = ''; seen.length < all.length; after = `&after=${seen.at(-1)}`) {
        const { data, pagination } = await list(`?includeDescendants=true&limit=3&sort=${sort}${after}`);
        expect(pagination).toMatchObject({ total: 8, page: seen.length / 3 + 1 });
        seen.push(...data.map(({ id }) => id));
      }
      expect(seen).toEqual(wanted);
    }
    expect(await idsOf('?includeDescendants=true&page=2&limit=3')).toEqual(all.slice(3, 6));
    const { id } = await newOrganization(app);
    for (const total of [0, 1, 2]) {
      expect((await list('?type=role.*', id)).pagination.total).toBe(total);
      await made(app, at(id, '/roles'), { name: `role ${total}` });
      await numberedEvents(app);
    }
  });

  it('returns 404 for an event outside the organization and the descendants, and rejects the event as a cursor', async () => {
    const [below] = (await list('', branch)).data;
    expect(await read(creator, events(acme, `/${below!.id}`))).toEqual(below);
    const [own] = await idsOf('');
    const elsewhere = (await newOrganization(app)).id;
    for (const [organization, id] of [
      [branch, own],
      [elsewhere, own],
      [acme, newId('event')],
    ] as const)
      await app.api.platform.get(events(organization, `/${id}`)).expect(404, 'event_not_found');
    const refusal = async (after: string, organization = acme) =>
      (await app.api.platform.get(events(organization, `?after=${after}`)).expect(400)).body.code as string;
    expect(await refusal('usr_01kf2b8v3cf5h9r4n0j7d2q6xw')).toBe('invalid_cursor');
    expect(await refusal(newId('event'))).toBe('cursor_gone');
    for (const organization of [branch, (await newOrganization(app)).id])
      expect(await refusal(own!, organization)).toBe('cursor_gone');
    for (const query of ['?type=nonsense', '?type=user.*,nonsense', '?since=yesterday', '?search=a b c d e f'])
      await app.api.platform.get(events(acme, query)).expect(400);
  });

  it('has a list of the events that a user caused during break-glass access', async () => {
    const { id } = await newOrganization(app);
    const owner = await signedIn(app, id, { roles: ['owner'] });
    const requester = await signedIn(app, id, { roles: ['admin'] });
    const child = await newOrganization(app, { parentId: id });
    const grandchild = await newOrganization(app, { parentId: child.id });
    const requests = at(id, '/break-glass');
    const rename = (name: string) => requester.client.patch(at(id), { name }).expect(200);

    await rename('Before');
    const request = { reason: 'Production is down', durationSeconds: 300 };
    const pending = await made(requester.client, requests, request);
    const path = `${requests}/${pending.id}`;
    const approved = (await owner.client.post(`${path}/approve`).expect(200)).body.data;
    await requester.client.delete(at(grandchild.id)).expect(204);
    await requester.client.post(`${path}/end`).expect(200);
    await rename('After');
    await numberedEvents(app);

    const ended = await read(app, path);
    const untilOf = ({ eventsUrl }: TestBody) => new URL(eventsUrl, app.url).searchParams.get('until');
    expect(pending.eventsUrl).toBeNull();
    expect([untilOf(approved), untilOf(ended)]).toEqual([approved.endsAt, ended.endedAt]);
    const { data } = (await owner.client.get(ended.eventsUrl).expect(200)).body;
    expect(data.map(({ type, actor }: TestBody) => [type, actor.id])).toEqual([['organization.deleted', requester.id]]);
  });
});

describe('the event stream', () => {
  let acme: string;
  let key: TestBody;
  const open: EventStreamClient[] = [];

  const stream = async (query = '', lastEventId?: string, credential = key.key): Promise<EventStreamClient> => {
    const client = await EventStreamClient.open(`${app.url}${STREAM}${query}`, credential, lastEventId);
    open.push(client);
    return client;
  };
  const role = async (name: string): Promise<string> => (await made(app, '/v1/organizations/acme/roles', { name })).id;
  const newKey = (): Promise<TestBody> => made(app, '/v1/organizations/acme/api-keys', { name: 'k', scopes: ['events:read'] });

  beforeAll(async () => {
    acme = (await newOrganization(app, { slug: 'acme' })).id;
    await newOrganization(app, { slug: 'below', parentId: acme });
    key = await newKey();
    await role('first');
  });
  // A stream without a cursor begins after the last numbered event, so the events of other tests must be numbered first.
  beforeEach(() => numberedEvents(app));
  afterEach(() => open.splice(0).forEach((client) => client.close()));

  it('sends each new event in the format of the event list, with its filters', async () => {
    const client = await stream();
    expect(client.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(client.headers.get('cache-control')).toBe('no-store, no-transform');
    const id = await role('second');
    const [{ lastEventId, event }] = (await client.take(1)) as [{ lastEventId: string; event: { data: { id: string } } }];
    expect(event.data.id).toBe(id);
    const [listed] = await read(app, '/v1/organizations/acme/events?limit=1');
    expect(event).toEqual(listed);
    expect(lastEventId).toBe(String(listed.position));
    const tenantEvents = await stream('?includeDescendants=true&type=user.*');
    await role('not wanted');
    await made(app, '/v1/organizations/acme/users', { email: 'ada@example.com' });
    await made(app, '/v1/organizations/below/users', { email: 'bob@example.com' });
    const events = (await tenantEvents.take(2)).map(({ event }) => `${event.type} ${event.data.email}`);
    expect(events).toEqual(['user.created ada@example.com', 'user.created bob@example.com']);
    for (const query of ['type=nonsense', 'limit=3']) await app.api.platform.get(`${STREAM}?${query}`).expect(400);
  });

  it('resumes after a position or an event, and rejects unknown cursors', async () => {
    const { id: organization } = await newOrganization(app);
    await Promise.all(Array.from({ length: 30 }, (_, index) => made(app, at(organization, '/roles'), { name: `many ${index}` })));
    await numberedEvents(app);
    const until = new Date(Date.now() + 1).toISOString();
    await sleep(5);
    const all: TestBody[] = await read(app, at(organization, '/events?sort=position&limit=100'));
    const positionsOf = async (query: string, lastEventId?: string) => {
      const path = at(organization, `/events/stream?until=${until}${query}`);
      const client = await EventStreamClient.open(`${app.url}${path}`, app.platformKey, lastEventId);
      const positions: number[] = [];
      for (let next = await client.next(); next; next = await client.next()) positions.push(next.event.position);
      return positions;
    };
    const positions = all.map(({ position }) => position);
    expect(await positionsOf('&since=2020-01-01T00:00:00Z')).toEqual(positions);
    expect(await positionsOf('', String(positions[7]))).toEqual(positions.slice(8));
    expect(await positionsOf('', all[9]!.id)).toEqual(positions.slice(10));
    expect(await positionsOf(`&after=${all[9]!.id}`)).toEqual(positions.slice(10));
    expect(await positionsOf(`&after=${all[9]!.id}`, String(positions[20]))).toEqual(positions.slice(21));
    const refusal = async (lastEventId: string) => (await stream('', lastEventId)).problem.code as string;
    expect(await refusal('nonsense')).toBe('invalid_cursor');
    expect(await refusal(newId('event'))).toBe('cursor_gone');
    expect(await refusal('999999999')).toBe('cursor_gone');
  });

  it('closes soon after the API key is revoked, and allows 20 open streams per caller', async () => {
    const revoked = await newKey();
    const client = await stream('', undefined, revoked.key);
    await app.api.platform.delete(`/v1/organizations/acme/api-keys/${revoked.id}`).expect(204);
    const types: string[] = [];
    for (let next = await client.next(); next; next = await client.next()) types.push(next.event.type);
    expect(types).not.toContain('role.created');
    expect((await stream('', undefined, revoked.key)).status).toBe(401);
    const other = await newKey();
    const streams = await Promise.all(Array.from({ length: 21 }, () => stream('', undefined, other.key)));
    const rejected = streams.filter(({ status }) => status !== 200);
    expect(rejected.map(({ status, problem }) => [status, problem.code])).toEqual([[429, 'too_many_streams']]);
    expect((await stream()).status).toBe(200);
    streams.forEach((client) => client.close());
    const opens = async () => (await stream('', undefined, other.key)).status === 200;
    await eventually(opens, LIMIT_MS, 'a stream opens again');
  });

  it('sends the position at intervals', async () => {
    const socket = rawStream('GET');
    const text = await readUntil(socket, HEARTBEAT_MS + LIMIT_MS, (all) => /\n:\nid: \d+\n\n/.test(all));
    expect(text).toMatch(/retry: \d+\nid: \d+\n\n/);
    socket.destroy();
    const head = rawStream('HEAD');
    expect(await readUntil(head, LIMIT_MS, (all) => all.includes('\r\n\r\n'))).toMatch(/^HTTP\/1.1 200/);
    head.destroy();
  });

  it('buffers nothing for a client that does not read', async () => {
    const socket = rawStream('GET');
    await readUntil(socket, LIMIT_MS, (all) => all.includes('id: '));
    socket.pause();
    await publish(2_000, 8_000);
    await numberedEvents(app);
    await sleep(500);
    // Changes the events that the service has not read from the database yet.
    await app.database.query(
      `UPDATE events SET payload = replace(payload, 'FILLER', 'LATER!')
       WHERE tenant_id = $1 AND position > (SELECT max(position) - 100 FROM events WHERE tenant_id = $1)`,
      [acme],
    );
    const text = await readUntil(socket, LIMIT_MS * 2, (all) => (all.match(/LATER!/g) ?? []).length === 100);
    expect(text.match(/FILLER/g)).toHaveLength(1_900);
    socket.destroy();
  });

  it('closes cleanly when the service stops', async () => {
    const { databaseUrl, platformApiKey, secretsKeys } = app.config;
    const second = await startApp({ databaseUrl, platformApiKey, secretsKeys });
    const client = await EventStreamClient.open(`${second.url}${STREAM}`, second.platformKey);
    expect(client.status).toBe(200);
    const stopsAt = performance.now();
    second.app.get(EventStreams).end();
    for (let next = await client.next(); next; next = await client.next());
    await second.close();
    expect(performance.now() - stopsAt).toBeLessThan(LIMIT_MS);
  });

  function rawStream(method: string): Socket {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`${method} ${STREAM}?type=role.* HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.key}\r\n\r\n`);
    return socket;
  }

  async function publish(count: number, fillerLength: number): Promise<void> {
    const organization = { id: acme, tenantId: acme, name: 'Acme', ancestorIds: [] };
    const data = { ...EVENTS['role.created'].example, description: `FILLER${'x'.repeat(fillerLength)}` };
    const events = Array.from({ length: count }, () => ({ data }));
    const bus = app.app.get(DomainEventBus);
    await app.app
      .get(TransactionRunner)
      .run(systemContext(newId('request')), (ctx) => bus.publishAll(ctx, 'role.created', organization, events));
  }
});

/** Reads from the socket until `isEnough` returns true for the received text. Returns this text. */
async function readUntil(socket: Socket, limitMs: number, isEnough: (all: string) => boolean): Promise<string> {
  let all = '';
  const onData = (chunk: Buffer) => (all += chunk.toString('latin1'));
  socket.on('data', onData);
  socket.resume();
  const deadline = performance.now() + limitMs;
  while (!isEnough(all)) {
    if (performance.now() > deadline) throw new Error(`Only received within ${limitMs} ms: ${all.slice(-500)}`);
    await sleep(20);
  }
  socket.off('data', onData);
  return all;
}

const EVENTS_TOTAL = sized(1_000, 2_000, 100_000);
const WRITERS = 64;
/** The streaming reader closes its connection after this number of events. */
const EVENTS_PER_CONNECTION = Math.floor(EVENTS_TOTAL / 40);
const WRITING_LIMIT_MS = 30_000 + EVENTS_TOTAL * 30;

/**
 * Writers publish through the bus in this process, each event in its own transaction. Every tenth event is first published in a
 * transaction that is rolled back. Some transactions commit late, so the commit order differs from the insertion order. Readers are
 * HTTP clients.
 */
describe('the event log during concurrent writes', () => {
  let writing: TestApp;
  let acme: string;

  beforeAll(async () => {
    writing = await startApp({ ...app.config, databasePoolSize: WRITERS, role: 'api' });
    acme = (await newOrganization(app)).id;
  });
  afterAll(() => writing.close());

  async function write(): Promise<void> {
    const [bus, transactions] = [writing.app.get(DomainEventBus), writing.app.get(TransactionRunner)];
    const organization = { id: acme, tenantId: acme, name: 'Acme', ancestorIds: [] };
    let left = EVENTS_TOTAL;
    const writer = async () => {
      for (let number = left--; number > 0; number = left--) {
        const publish = (fails: boolean) =>
          transactions.run(systemContext(newId('request')), async (ctx) => {
            await bus.publish(ctx, 'role.created', organization, { ...EVENTS['role.created'].example, name: String(number) });
            if (number % 50 === 0) await sleep(Math.random() * 40);
            if (fails) throw new Error('rolled back');
          });
        if (number % 10 === 0) await expect(publish(true)).rejects.toThrow('rolled back');
        await publish(false);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  async function readByPolling(): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < EVENTS_TOTAL) {
      const after = ids.length === 0 ? '' : `&after=${ids.at(-1)}`;
      const path = at(acme, `/events?type=role.created&sort=position&limit=100${after}`);
      const data: TestBody[] = await read(app, path);
      ids.push(...data.map(({ id }) => id));
      if (data.length < 100) await sleep(10);
    }
    return ids;
  }

  async function readFromStream(): Promise<{ ids: string[]; connections: number }> {
    const url = `${app.url}${at(acme, '/events/stream?type=role.created&since=2020-01-01T00:00:00Z')}`;
    const ids: string[] = [];
    let connections = 0;
    let lastEventId: string | undefined;
    while (ids.length < EVENTS_TOTAL) {
      connections++;
      const client = await EventStreamClient.open(url, app.platformKey, lastEventId);
      for (let taken = 0; taken < EVENTS_PER_CONNECTION && ids.length < EVENTS_TOTAL; taken++) {
        const next = await client.next();
        if (!next) break;
        ids.push(next.event.id);
        ({ lastEventId } = next);
      }
      client.close();
    }
    return { ids, connections };
  }

  it(
    'returns all events in one order to every reader during concurrent writes',
    async () => {
      const [polled, { ids: followed, connections }] = await Promise.all([readByPolling(), readFromStream(), write()]);
      const rows = await app.database.query<{ id: string }>(
        `SELECT id FROM events WHERE tenant_id = $1 AND type = 'role.created' ORDER BY position`,
        [acme],
      );
      expect(rows).toHaveLength(EVENTS_TOTAL);
      const expected = rows.map(({ id }) => id);
      // Jest takes minutes to print a difference in 100,000 lines, so the test compares text.
      expect(polled.join() === expected.join()).toBe(true);
      expect(followed.join() === expected.join()).toBe(true);
      expect(connections).toBeGreaterThanOrEqual(40);
    },
    WRITING_LIMIT_MS,
  );
});
