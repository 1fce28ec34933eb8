import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { OAuthApplication, refusal, startIssuer } from '../support/oauth-application.js';
import { testReceiver } from '../support/receiver.js';
import { EVENTS, POLL, PUSH, SsfReceiver, USER_EVENTS } from '../support/shared-signals.js';
import { signedIn } from '../support/signed-in.js';

let app: TestApp;
const server = testReceiver(() => ({ status: 202 }));
const platform = () => app.api.platform;

beforeAll(async () => {
  app = await startIssuer({ webhookRetryScheduleMs: [100, 100] });
});
afterAll(() => app?.close());

let names = 0;
const organization = async (parentId?: string): Promise<string> =>
  (
    await platform()
      .post('/v1/organizations', { name: `Organization ${++names}`, ...(parentId ? { parentId } : {}) })
      .expect(201)
  ).body.data.id;
const receiverOf = (home: string, options?: Parameters<typeof SsfReceiver.create>[3]) =>
  SsfReceiver.create(app, server, home, options);
const newReceiver = async () => {
  const home = await organization();
  return { home, receiver: await receiverOf(home) };
};
const keyOf = async (home: string, scopes: readonly string[]): Promise<string> =>
  (await platform().post(`/v1/organizations/${home}/api-keys`, { name: 'Receiver', scopes }).expect(201)).body.data.key;
const suspended = async (home: string, email: string): Promise<string> => {
  const users = `/v1/organizations/${home}/users`;
  const { id } = (await platform().post(users, { email }).expect(201)).body.data;
  await platform().post(`${users}/${id}/activate`).expect(200);
  await platform().post(`${users}/${id}/suspend`, { reason: 'Left' }).expect(200);
  return id;
};
const activate = (home: string, id: string) => platform().post(`/v1/organizations/${home}/users/${id}/activate`).expect(200);

describe('the configuration of streams', () => {
  it('is created, read, updated, replaced and deleted by the receiver', async () => {
    const { receiver, home } = await newReceiver();
    const { api, audience } = receiver;
    expect((await api.get('/ssf/streams').expect(200)).body).toEqual([]);
    const delivery = { method: PUSH, endpoint_url: receiver.endpointUrl, authorization_header: 'Bearer secret' };
    const requested = [EVENTS.sessionRevoked, 'urn:example:unknown'];
    const created = await api.post('/ssf/streams', { delivery, events_requested: requested, description: 'Ours' }).expect(201);
    const id = created.body.stream_id;
    const configuration = {
      stream_id: id,
      iss: app.config.baseUrl,
      aud: audience,
      delivery: { method: PUSH, endpoint_url: receiver.endpointUrl },
      events_supported: expect.arrayContaining([...USER_EVENTS]),
      events_requested: requested,
      events_delivered: [EVENTS.sessionRevoked],
      min_verification_interval: 10,
      description: 'Ours',
    };
    expect(created.body).toEqual(configuration);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect((await api.get(`/ssf/streams?stream_id=${id}`).expect(200)).body).toEqual(configuration);
    expect((await api.get('/ssf/streams').expect(200)).body).toEqual([configuration]);
    await api.post('/ssf/streams', {}).expect(409, 'ssf_stream_exists');

    const updated = await api
      .patch('/ssf/streams', { ...configuration, events_supported: undefined, description: null })
      .expect(200);
    const { description: _, ...rest } = configuration;
    expect(updated.body).toEqual(rest);
    const replaced = await api.put('/ssf/streams', { stream_id: id, events_requested: [EVENTS.accountPurged] }).expect(200);
    expect(replaced.body).toMatchObject({
      delivery: { method: POLL, endpoint_url: `${app.config.baseUrl}/ssf/streams/${id}/poll` },
      events_delivered: [EVENTS.accountPurged],
    });
    expect((await api.put('/ssf/streams', replaced.body).expect(200)).body).toEqual(replaced.body);
    await api.delete(`/ssf/streams?stream_id=${id}`).expect(204);
    await api.get(`/ssf/streams?stream_id=${id}`).expect(404, 'ssf_stream_not_found');
    const events = await app.database.query<{ type: string }>(
      `SELECT type FROM events WHERE organization_id = $1 AND type LIKE 'ssf_stream%' ORDER BY seq`,
      [home],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'ssf_stream.created',
      'ssf_stream.updated',
      'ssf_stream.updated',
      'ssf_stream.deleted',
    ]);
  });

  it('keeps the secret of the receiver for its address only, and shows it nowhere', async () => {
    const { receiver, home } = await newReceiver();
    const delivery = { method: PUSH, endpoint_url: receiver.endpointUrl };
    const withHeader = { ...delivery, authorization_header: 'Bearer secret-of-the-stream' };
    const id = await receiver.createStream(PUSH, { delivery: withHeader });
    const verify = () => receiver.api.post('/ssf/verification', { stream_id: id }).expect(204);
    await receiver.api.patch('/ssf/streams', { stream_id: id, delivery }).expect(200);
    await verify();
    await receiver.received(1);
    const moved = { method: PUSH, endpoint_url: `${receiver.endpointUrl}?moved` };
    await receiver.api.patch('/ssf/streams', { stream_id: id, delivery: moved }).expect(200);
    await app.database.query('UPDATE ssf_streams SET verification_requested_at = NULL WHERE id = $1', [id]);
    await verify();
    const ofStream = () => server.requests.filter(({ path }) => path.startsWith(receiver.path));
    await eventually(() => ofStream().length === 2, 10_000, 'the second verification');
    expect(ofStream().map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-of-the-stream', undefined]);
    const [{ text }] = (await app.database.query('SELECT string_agg(payload, chr(10)) AS text FROM events WHERE tenant_id = $1', [
      home,
    ])) as [{ text: string }];
    expect(text).not.toMatch(/secret-of-the-stream|ssf-\d+/);
  });

  it.each<[problem: string, body: object]>([
    ['an unknown method', { delivery: { method: 'urn:example:carrier-pigeon' } }],
    ['a push without an address', { delivery: { method: PUSH } }],
    ['an address without https', { delivery: { method: PUSH, endpoint_url: 'http://receiver.example.com/' } }],
    ['an internal address', { delivery: { method: PUSH, endpoint_url: 'https://169.254.169.254/' } }],
    [
      'a header with a line break',
      { delivery: { method: PUSH, endpoint_url: 'https://a.example/', authorization_header: 'a\r\nb' } },
    ],
    ['events that are no list', { events_requested: 'all' }],
    ['a description that is no text', { description: 4711 }],
  ])('is rejected with %s', async (_problem, body) => {
    const { receiver } = await newReceiver();
    await receiver.api.post('/ssf/streams', body).expect(400, 'validation_failed');
  });

  it('is rejected if it is no JSON, or if it changes what the service sets', async () => {
    const { receiver } = await newReceiver();
    const id = await receiver.createStream(POLL);
    for (const method of ['POST', 'PATCH', 'PUT'])
      await receiver.api.raw(method, '/ssf/streams', ';{ broken', { 'content-type': 'application/json' }).expect(400);
    for (const change of [
      { iss: 'https://other.example' },
      { aud: 'other' },
      { events_delivered: [] },
      { min_verification_interval: 1 },
    ])
      for (const send of [receiver.api.patch, receiver.api.put])
        await send.call(receiver.api, '/ssf/streams', { stream_id: id, ...change }).expect(400, 'validation_failed');
    await receiver.api.patch('/ssf/streams', { description: 'Which?' }).expect(400, 'validation_failed');
    await receiver.api.delete('/ssf/streams').expect(400, 'validation_failed');
  });
});

describe('access', () => {
  const CALLS: readonly (readonly [method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string])[] = [
    ['get', '/ssf/streams?stream_id=ID'],
    ['patch', '/ssf/streams'],
    ['put', '/ssf/streams'],
    ['delete', '/ssf/streams?stream_id=ID'],
    ['get', '/ssf/status?stream_id=ID'],
    ['post', '/ssf/status'],
    ['post', '/ssf/subjects/add'],
    ['post', '/ssf/subjects/remove'],
    ['post', '/ssf/verification'],
    ['post', '/ssf/streams/ID/poll'],
  ];
  const BODY = { status: 'paused', subject: { format: 'email', email: 'ada@example.com' }, returnImmediately: true };

  it('is refused without a token, without a scope, to receivers of the same and of other organizations, and to people', async () => {
    const { home, receiver } = await newReceiver();
    const id = await receiver.createStream(POLL);
    const strangers = [
      await receiverOf(home),
      await receiverOf(await organization()),
      await receiverOf(await organization(home)),
    ];
    const reader = await receiverOf(home, { scopes: ['ssf.read'] });
    const otherKey = SsfReceiver.withKey(app, server, home, await keyOf(home, ['users:*', 'webhooks:*']));
    const admin = await signedIn(app, home, { roles: ['admin'] });
    for (const [method, path] of CALLS) {
      const send = (api: SsfReceiver['api'], status: number) => {
        const at = path.replace('ID', id);
        return (method === 'get' || method === 'delete' ? api[method](at) : api[method](at, { ...BODY, stream_id: id })).expect(
          status,
        );
      };
      await send(app.api.anonymous, 401);
      await send(app.api.as('invalid:token'), 401);
      for (const stranger of strangers) await send(stranger.api, 404);
      await send(otherKey.api, 403);
      await send(admin.client, 403);
      await send(platform(), 403);
      const refused = await send(reader.api, method === 'get' ? 404 : 403);
      if (method !== 'get')
        expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="ssf.manage"');
    }
    await reader.api.post('/ssf/streams', {}).expect(403);
    expect((await receiver.api.get('/ssf/streams').expect(200)).body).toMatchObject([{ stream_id: id }]);
  });

  it('needs scopes that an administrator with these permissions gave to the client', async () => {
    const home = await organization();
    const machine = { name: 'Receiver', type: 'machine', redirectUris: [] };
    const none = await OAuthApplication.create(app, home, machine);
    expect(await refusal(none.clientCredentials({ scope: 'ssf.manage' }))).toBe('invalid_target');
    const resources = [{ identifier: app.config.baseUrl, scopes: ['ssf.manage'] }];
    const clients = `/v1/organizations/${home}/oauth-clients`;
    const { body } = await platform()
      .post(`/v1/organizations/${home}/roles`, {
        name: 'integrator',
        permissions: ['oauth_clients:*', 'permissions:grant', 'ssf_streams:read'],
      })
      .expect(201);
    const integrator = await signedIn(app, home, { roles: [body.data.name] });
    await integrator.client.post(clients, { ...machine, resources }).expect(403, 'forbidden');
    await integrator.client.post(clients, { ...machine, resources: [{ ...resources[0], scopes: ['ssf.read'] }] }).expect(201);
    const admin = await signedIn(app, home, { roles: ['admin'] });
    await admin.client.post(clients, { ...machine, resources }).expect(201);
    const { body: metadata } = await app.api.anonymous.get('/.well-known/oauth-protected-resource').expect(200);
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining(['ssf.manage', 'ssf.read']));
  });

  it('ends with the scope, the client and the organization', async () => {
    const { home, receiver } = await newReceiver();
    const id = await receiver.createStream(PUSH);
    const client = `/v1/organizations/${home}/oauth-clients/${receiver.audience}`;
    const resources = (scopes: readonly string[]) => ({ resources: [{ identifier: app.config.baseUrl, scopes }] });
    await platform()
      .patch(client, resources(['users:read']))
      .expect(200);
    await receiver.api.get('/ssf/streams').expect(403);
    await suspended(home, 'a@ends.example');
    const pending = () => app.database.query('SELECT 1 FROM deliveries WHERE webhook_id = $1 AND status = $2', [id, 'pending']);
    await eventually(async () => (await pending()).length === 1, 10_000, 'the event is held');
    expect(receiver.requests).toEqual([]);
    await platform()
      .patch(client, resources(['ssf.manage']))
      .expect(200);
    await receiver.received(1);
    await platform().patch(client, { enabled: false }).expect(200);
    await suspended(home, 'b@ends.example');
    await eventually(async () => (await pending()).length === 1, 10_000, 'the event is held');
    await platform().delete(client).expect(204);
    expect(await app.database.query('SELECT 1 FROM ssf_streams WHERE id = $1', [id])).toEqual([]);
    await eventually(async () => (await pending()).length === 0, 10_000, 'the event is skipped');
    expect(receiver.requests).toHaveLength(1);
  });

  it('is possible with an API key, for the stream of the organization', async () => {
    const home = await organization();
    const receiver = SsfReceiver.withKey(app, server, home, await keyOf(home, ['ssf_streams:*']));
    const id = await receiver.createStream(POLL);
    const rotated = SsfReceiver.withKey(app, server, home, await keyOf(home, ['ssf_streams:write', 'ssf_streams:read']));
    const user = await suspended(home, 'ada@keys.example');
    const [set] = await rotated.pollAll(id, 1);
    expect([set?.uri, set?.claims.sub_id['sub'], set?.claims.aud]).toEqual([EVENTS.accountDisabled, user, home]);
    const client = await receiverOf(home);
    await client.api.get(`/ssf/streams?stream_id=${id}`).expect(404);
  });
});

describe('verification', () => {
  it('sends the state back, at most once in the interval', async () => {
    const { receiver } = await newReceiver();
    const id = await receiver.createStream(PUSH, { events_requested: [] });
    await receiver.api.post('/ssf/verification', { stream_id: id, state: 'opaque state' }).expect(204);
    await receiver.received(1);
    const [set] = await receiver.pushed();
    expect([set?.uri, set?.event, set?.claims.sub_id]).toEqual([
      EVENTS.verification,
      { state: 'opaque state' },
      { format: 'opaque', id },
    ]);
    const refused = await receiver.api.post('/ssf/verification', { stream_id: id }).expect(429, 'ssf_verification_too_often');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    await receiver.api.post('/ssf/verification', { stream_id: 'ssf_00000000000000000000000000' }).expect(404);
    await receiver.api.post('/ssf/verification', { stream_id: id, state: 4711 }).expect(400, 'validation_failed');
  });

  it('has no state if the receiver sent none, and is rejected while the stream is disabled', async () => {
    const { receiver } = await newReceiver();
    const id = await receiver.createStream(POLL);
    await receiver.api.post('/ssf/verification', { stream_id: id }).expect(204);
    expect((await receiver.pollAll(id, 1)).map(({ event }) => event)).toEqual([{}]);
    await receiver.api.post('/ssf/status', { stream_id: id, status: 'disabled' }).expect(200);
    await receiver.api.post('/ssf/verification', { stream_id: id }).expect(400, 'validation_failed');
  });
});

describe('status', () => {
  it('is read and set by the receiver, which gets no event about its own change', async () => {
    const { receiver } = await newReceiver();
    const id = await receiver.createStream(PUSH);
    const read = () => receiver.api.get(`/ssf/status?stream_id=${id}`).expect(200);
    expect((await read()).body).toEqual({ stream_id: id, status: 'enabled' });
    const paused = { stream_id: id, status: 'paused', reason: 'Maintenance' };
    expect((await receiver.api.post(`/ssf/status?stream_id=${id}`, paused).expect(200)).body).toEqual(paused);
    expect((await read()).body).toEqual(paused);
    const enabled = { stream_id: id, status: 'enabled' };
    expect((await receiver.api.post('/ssf/status', enabled).expect(200)).body).toEqual(enabled);
    await receiver.api.post('/ssf/status', { stream_id: id, status: 'asleep' }).expect(400, 'validation_failed');
    await receiver.api.get('/ssf/status').expect(400, 'validation_failed');
    await receiver.api.post('/ssf/verification', { stream_id: id }).expect(204);
    await receiver.received(1);
    expect((await receiver.pushed()).map(({ uri }) => uri)).toEqual([EVENTS.verification]);
  });

  it.each([PUSH, POLL] as const)(
    'sends stream-updated to the receiver when an administrator changes the status (%s)',
    async (method) => {
      const { home, receiver } = await newReceiver();
      const id = await receiver.createStream(method);
      const stream = `/v1/organizations/${home}/ssf-streams/${id}`;
      await platform().patch(stream, { status: 'paused', reason: 'Audit' }).expect(200);
      const user = await suspended(home, `ada@${id}.example`.replace('_', '-'));
      await platform().patch(stream, { status: 'disabled' }).expect(200);
      await activate(home, user);
      await platform().patch(stream, { status: 'enabled' }).expect(200);
      const read = async () => (method === PUSH ? (await receiver.received(3), receiver.pushed()) : receiver.pollAll(id, 3));
      expect((await read()).map(({ uri, event, claims }) => [uri, event, claims.sub_id])).toEqual(
        [{ status: 'paused', reason: 'Audit' }, { status: 'disabled' }, { status: 'enabled' }].map((event) => [
          EVENTS.streamUpdated,
          event,
          { format: 'opaque', id },
        ]),
      );
    },
  );
});

describe('subjects', () => {
  it('are removed by email address or id, and added again', async () => {
    const { home, receiver } = await newReceiver();
    const id = await receiver.createStream(POLL);
    const [ada, bob] = [await suspended(home, 'ada@subjects.example'), await suspended(home, 'bob@subjects.example')];
    await receiver.pollAll(id, 2);
    const byId = (sub: string) => ({ format: 'complex', user: { format: 'iss_sub', iss: app.config.baseUrl, sub } });
    const remove = (subject: object) => receiver.api.post('/ssf/subjects/remove', { stream_id: id, subject }).expect(204);
    await remove({ format: 'email', email: 'Ada@subjects.example' });
    await remove(byId(bob));
    await activate(home, ada);
    await activate(home, bob);
    const skipped = () => app.database.query(`SELECT 1 FROM deliveries WHERE webhook_id = $1 AND status = 'skipped'`, [id]);
    const pollAgain = async () => {
      expect((await receiver.poll(id)).sets).toEqual([]);
      return (await skipped()).length === 2;
    };
    await eventually(pollAgain, 10_000, 'the events are skipped');
    const added = await receiver.api.post('/ssf/subjects/add', { stream_id: id, subject: byId(ada), verified: true }).expect(200);
    expect(added.body).toBeUndefined();
    await platform().post(`/v1/organizations/${home}/users/${ada}/suspend`, { reason: 'Left' }).expect(200);
    expect((await receiver.pollAll(id, 1)).map(({ uri, claims }) => [uri, claims.sub_id['sub']])).toEqual([
      [EVENTS.accountDisabled, ada],
    ]);
    await platform().delete(`/v1/organizations/${home}/users/${bob}?permanent=true`).expect(204);
    expect(await app.database.query('SELECT 1 FROM ssf_removed_subjects WHERE stream_id = $1', [id])).toEqual([]);
  });

  it('that belong to no user of the organization look like all others', async () => {
    const { receiver } = await newReceiver();
    const id = await receiver.createStream(POLL);
    const foreign = await suspended(await organization(), 'eve@foreign.example');
    for (const subject of [
      { format: 'email', email: 'nobody@subjects.example' },
      { format: 'email', email: 'eve@foreign.example' },
      { format: 'iss_sub', iss: app.config.baseUrl, sub: foreign },
      { format: 'iss_sub', iss: 'https://other.example', sub: 'usr_1' },
      { format: 'opaque', id: 'x' },
      { format: 'complex', session: { format: 'opaque', id: 'ses_1' } },
    ]) {
      await receiver.api.post('/ssf/subjects/add', { stream_id: id, subject }).expect(200);
      await receiver.api.post('/ssf/subjects/remove', { stream_id: id, subject }).expect(204);
    }
    expect(await app.database.query('SELECT 1 FROM ssf_removed_subjects WHERE stream_id = $1', [id])).toEqual([]);
    for (const subject of [undefined, 'ada', {}, { format: 'email' }, { format: 'iss_sub', iss: 'https://a.example' }])
      await receiver.api.post('/ssf/subjects/add', { stream_id: id, subject }).expect(400, 'validation_failed');
  });

  it('are email addresses if an administrator chose so', async () => {
    const { home, receiver } = await newReceiver();
    const id = await receiver.createStream(POLL);
    await platform().patch(`/v1/organizations/${home}/ssf-streams/${id}`, { subjectFormat: 'email' }).expect(200);
    const user = await signedIn(app, home);
    await platform().delete(`/v1/organizations/${home}/users/${user.id}/sessions`).expect(200);
    await platform().delete(`/v1/organizations/${home}/users/${user.id}`).expect(204);
    const email = { format: 'email', email: user.email };
    expect((await receiver.pollAll(id, 2)).map(({ claims }) => claims.sub_id)).toEqual([
      { format: 'complex', user: email, session: { format: 'opaque', id: user.sessionId } },
      email,
    ]);
  });
});

describe('administration', () => {
  it('lists the streams of the organization with their progress, replays and deletes them', async () => {
    const { home, receiver } = await newReceiver();
    const id = await receiver.createStream(PUSH, { description: 'Ours' });
    const since = new Date(Date.now() - 60_000).toISOString();
    await suspended(home, 'ada@administration.example');
    await receiver.received(1);
    const streams = `/v1/organizations/${home}/ssf-streams`;
    const listed = async () => (await platform().get(streams).expect(200)).body.data[0];
    await eventually(async () => (await listed()).lastDeliveryAt !== null, 10_000, 'the delivery is recorded');
    expect(await listed()).toMatchObject({
      id,
      clientId: receiver.audience,
      clientName: 'Receiver',
      deliveryMethod: 'push',
      origin: server.url.slice(0, -1),
      status: 'enabled',
      pendingCount: 0,
      description: 'Ours',
    });
    const replay = await platform().post(`${streams}/${id}/deliveries/replay`, { since, status: 'all' }).expect(200);
    expect(replay.body.data.count).toBe(1);
    await receiver.received(2);
    const other = await organization();
    await platform().get(`/v1/organizations/${other}/ssf-streams/${id}`).expect(404, 'ssf_stream_not_found');
    expect((await platform().get(`/v1/organizations/${other}/ssf-streams`).expect(200)).body.data).toEqual([]);
    await platform().delete(`${streams}/${id}`).expect(204);
    expect((await receiver.api.get('/ssf/streams').expect(200)).body).toEqual([]);
    await receiver.createStream(PUSH);
  });
});
