import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { startIssuer } from '../support/oauth-application.js';
import { generatedDocument, ssfOperationsOf } from '../support/operations.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { testReceiver, type ReceivedRequest, type ReceiverResponse } from '../support/receiver.js';
import { EVENTS, POLL, PUSH, SsfReceiver } from '../support/shared-signals.js';
import { addTotp } from '../support/second-factors.js';
import { activeUser, NEW_PASSWORD, PASSWORD } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

const SETTINGS = { webhookRetryScheduleMs: [50, 50, 50, 50, 50, 50, 50, 50, 50, 50] };

let app: TestApp;
let answer: (request: ReceivedRequest) => ReceiverResponse = () => ({ status: 202 });
const server = testReceiver((request) => answer(request));
const platform = () => app.api.platform;

beforeAll(async () => {
  app = await startIssuer(SETTINGS);
});
afterAll(() => app?.close());

const organization = async (name: string, parentId?: string): Promise<string> =>
  (
    await platform()
      .post('/v1/organizations', { name, ...(parentId ? { parentId } : {}) })
      .expect(201)
  ).body.data.id;
const receiver = (home: string, options?: Parameters<typeof SsfReceiver.create>[3]) =>
  SsfReceiver.create(app, server, home, options);
const usersOf = (home: string) => `/v1/organizations/${home}/users`;

describe('the configuration of the transmitter', () => {
  it('has the endpoints, the delivery methods and how receivers get tokens', async () => {
    const { body, headers } = await app.api.anonymous.get('/.well-known/ssf-configuration').expect(200);
    const { baseUrl } = app.config;
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual({
      spec_version: '1_0',
      issuer: baseUrl,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      delivery_methods_supported: [PUSH, POLL],
      configuration_endpoint: `${baseUrl}/ssf/streams`,
      status_endpoint: `${baseUrl}/ssf/status`,
      add_subject_endpoint: `${baseUrl}/ssf/subjects/add`,
      remove_subject_endpoint: `${baseUrl}/ssf/subjects/remove`,
      verification_endpoint: `${baseUrl}/ssf/verification`,
      critical_subject_members: ['user'],
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
      default_subjects: 'ALL',
    });
    const { body: keys } = await app.api.anonymous.get('/.well-known/jwks.json').expect(200);
    expect(keys.keys.map(({ alg }: { alg: string }) => alg)).toContain('RS256');
  });
});

const suspend = (home: string, { id }: { id: string }) =>
  platform()
    .post(`${usersOf(home)}/${id}/suspend`, { reason: 'Left', revokeActiveSessions: true })
    .expect(200);
const activate = (home: string, { id }: { id: string }) =>
  platform()
    .post(`${usersOf(home)}/${id}/activate`)
    .expect(200);
const createUser = async (home: string, email: string): Promise<{ id: string; email: string }> => {
  const { id } = (await platform().post(usersOf(home), { email }).expect(201)).body.data;
  await activate(home, { id });
  return { id, email };
};

describe('the OpenAPI document of the endpoints', () => {
  it('describes real requests and responses', async () => {
    const document = await generatedDocument();
    const [operations, schemas] = [ssfOperationsOf(document), new ResponseSchemas(document)];
    const { api } = await receiver(await organization('Documented'));
    const sent = new Set<string>();
    const send = async (id: string, status: number, body?: object, query = ''): Promise<TestBody> => {
      const operation = operations.find((each) => each.id === id)!;
      const path = operation.path.replace('{id}', streamId) + query;
      const schema = operation.body?.schema;
      if (schema && status < 300) expect([id, schemas.problems(`${id} body`, schema, body)]).toEqual([id, []]);
      const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
      const response = await api.raw(operation.method, path, body && JSON.stringify(body), type);
      sent.add(id);
      // Any type: generators can't express that this response is an object or a list.
      if (id !== 'readSsfStreams') expect([id, schemas.problemsWith(operation, response)]).toEqual([id, []]);
      expect([id, response.status]).toEqual([id, status]);
      return response.body;
    };
    let streamId = 'unknown';
    await send('getSsfConfiguration', 200);
    const requested = { events_requested: [EVENTS.sessionRevoked], description: 'Documented' };
    streamId = (await send('createSsfStream', 201, requested))['stream_id'];
    await send('createSsfStream', 409, requested);
    const named = { stream_id: streamId };
    const query = `?stream_id=${streamId}`;
    await send('readSsfStreams', 200, undefined, query);
    await send('changeSsfStream', 200, { ...named, description: 'Changed' });
    await send('replaceSsfStream', 200, { ...named, ...requested });
    await send('replaceSsfStream', 400, { ...named, iss: 'https://other.example' });
    await send('readSsfStatus', 200, undefined, query);
    await send('changeSsfStatus', 200, { ...named, status: 'enabled', reason: 'Ready' });
    const subject = { format: 'email', email: 'ada@example.com' };
    await send('addSsfSubject', 200, { ...named, subject });
    await send('removeSsfSubject', 204, { ...named, subject });
    await send('verifySsfStream', 204, { ...named, state: 'state' });
    await send('verifySsfStream', 429, named);
    await send('pollSsfStream', 200, { maxEvents: 1, returnImmediately: true, ack: [], setErrs: {} });
    await send('removeSsfStream', 204, undefined, query);
    await send('removeSsfStream', 404, undefined, query);
    expect([...sent].toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });
});

describe('events', () => {
  it('tells the receiver of a suspension within a second: the session is revoked and the account disabled', async () => {
    const home = await organization('Fast');
    const fast = await receiver(home);
    await fast.createStream(PUSH);
    const user = await signedIn(app, home);
    await suspend(home, user);
    const suspendedAt = Date.now();
    await fast.received(2);
    expect(fast.requests[1]!.receivedAt - suspendedAt).toBeLessThan(1_000);
    const sets = await fast.pushed();
    const subject = { format: 'iss_sub', iss: app.config.baseUrl, sub: user.id };
    const by = { initiating_entity: 'admin', event_timestamp: expect.any(Number) };
    expect(sets.map(({ uri, event, claims }) => [uri, event, claims.sub_id])).toEqual([
      [
        EVENTS.sessionRevoked,
        { ...by, reason_admin: { en: 'The user was suspended.' } },
        { format: 'complex', user: subject, session: { format: 'opaque', id: user.sessionId } },
      ],
      [EVENTS.accountDisabled, { ...by, reason_admin: { en: 'The user was suspended.' } }, subject],
    ]);
    expect(new Set(sets.map(({ claims }) => claims['txn'])).size).toBe(1);
  });

  it('maps changes of accounts, credentials and sessions to events of CAEP and RISC', async () => {
    const home = await organization('All events');
    const all = await receiver(home);
    const stream = await all.createStream(POLL);
    const email = `ada@${home.slice(4)}.example`;
    const account = await activeUser(app, home, { email, roles: ['admin'] });
    const user = await openSession(app, { ...(account as SignedIn), tenantId: home }, { at: home });
    await user.client.post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }).expect(204);
    await addTotp(app, user.token);
    await platform()
      .delete(`${usersOf(home)}/${user.id}/mfa`)
      .expect(204);
    await platform()
      .patch(`${usersOf(home)}/${user.id}`, { email: `new-${email}` })
      .expect(200);
    await platform()
      .patch(`${usersOf(home)}/${user.id}`, { firstName: 'Ada' })
      .expect(200);
    await suspend(home, user);
    await activate(home, user);
    await platform()
      .delete(`${usersOf(home)}/${user.id}`)
      .expect(204);
    await platform()
      .post(`${usersOf(home)}/${user.id}/restore`)
      .expect(200);
    await platform()
      .delete(`${usersOf(home)}/${user.id}?permanent=true`)
      .expect(204);
    const sets = await all.pollAll(stream, 11);
    const summary = sets.map(({ uri, event, claims }) => [
      uri.split('/').at(-1),
      event['credential_type'] ?? event['new-value'] ?? null,
      event['change_type'] ?? null,
      event['initiating_entity'],
      claims.sub_id['format'],
    ]);
    expect(summary).toEqual([
      ['credential-change', 'password', 'create', 'user', 'iss_sub'],
      ['credential-change', 'password', 'update', 'user', 'iss_sub'],
      ['credential-change', 'app', 'create', 'user', 'iss_sub'],
      ['credential-change', 'app', 'revoke', 'admin', 'iss_sub'],
      ['session-revoked', null, null, 'admin', 'complex'],
      ['identifier-changed', `new-${email}`, null, 'admin', 'email'],
      ['account-disabled', null, null, 'admin', 'iss_sub'],
      ['account-enabled', null, null, 'admin', 'iss_sub'],
      ['account-disabled', null, null, 'admin', 'iss_sub'],
      ['account-enabled', null, null, 'admin', 'iss_sub'],
      ['account-purged', null, null, 'admin', 'iss_sub'],
    ]);
    for (const { uri, event } of sets)
      if ([EVENTS.sessionRevoked, EVENTS.credentialChange].includes(uri as never))
        expect(event['reason_admin']).toEqual({ en: expect.stringMatching(/\S/) });
  });

  it('contains only requested events, and only of the organization and its descendants', async () => {
    const parent = await organization('Parent');
    const [home, sibling, other] = [
      await organization('Home', parent),
      await organization('Sibling', parent),
      await organization('Other'),
    ];
    const child = await organization('Child', home);
    const [wide, narrow] = [await receiver(home), await receiver(home, { visibility: 'organization' })];
    const requested = { events_requested: [EVENTS.accountDisabled, 'urn:example:unknown'] };
    const streams = [await wide.createStream(POLL, requested), await narrow.createStream(POLL, requested)];
    const { body } = await wide.api.get(`/ssf/streams?stream_id=${streams[0]}`).expect(200);
    expect(body).toMatchObject({ ...requested, events_delivered: [EVENTS.accountDisabled] });
    const users: { id: string }[] = [];
    for (const each of [parent, sibling, other, home, child]) {
      const user = await createUser(each, `u-${users.length}@scope.example`);
      users.push(user);
      await suspend(each, user);
      await activate(each, user);
    }
    const subjects = async (who: SsfReceiver, stream: string, count: number) =>
      (await who.pollAll(stream, count)).map(({ claims }) => claims.sub_id['sub']);
    expect(await subjects(wide, streams[0]!, 2)).toEqual([users[3]!.id, users[4]!.id]);
    expect(await subjects(narrow, streams[1]!, 1)).toEqual([users[3]!.id]);
  });

  it('contains no event from before the stream', async () => {
    const home = await organization('Late');
    await suspend(home, await createUser(home, 'early@late.example'));
    const late = await receiver(home);
    const stream = await late.createStream(POLL);
    const user = await createUser(home, 'later@late.example');
    await suspend(home, user);
    expect((await late.pollAll(stream, 1)).map(({ claims }) => claims.sub_id['sub'])).toEqual([user.id]);
  });
});
