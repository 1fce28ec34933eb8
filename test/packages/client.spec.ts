import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  ConnectionError,
  createIdentityClient,
  type IdentityClient,
  isApiError,
  type LoggedEvent,
  TimeoutError,
} from '../../packages/client/src/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { findFreePort } from '../support/free-port.js';
import { type Proxy, startProxy } from './proxy.js';
import { type CallResult, testRetries } from './resilience.js';

describe('the JavaScript client', () => {
  let app: TestApp;
  let proxy: Proxy;
  let identity: IdentityClient;
  /** A client of a proxy that can fail. */
  let unreliable: IdentityClient;
  const org = 'acme';

  const failure = (call: Promise<unknown>): Promise<ApiError> =>
    call.then(
      () => Promise.reject(new Error('The call succeeded.')),
      (error: ApiError) => error,
    );

  beforeAll(async () => {
    app = await startApp();
    proxy = await startProxy(app.url);
    identity = createIdentityClient({ baseUrl: app.url, apiKey: app.platformKey });
    unreliable = createIdentityClient({ baseUrl: `${proxy.url}/`, apiKey: app.platformKey, timeoutMs: 5_000 });
    await identity.createOrganization({ body: { name: 'Acme', slug: org } });
  });
  afterAll(async () => {
    await proxy.stop();
    await app.close();
  });

  it('creates, reads, updates and deletes a resource', async () => {
    const made = await identity.createUser({ org, body: { email: 'ada@example.com', firstName: 'Ada' } });
    expect(made).toMatchObject({ email: 'ada@example.com', status: 'pending' });
    const { body, response } = await identity.getUser.withResponse({ org, id: made.id });
    expect(body.data.firstName).toBe('Ada');
    const etag = response.headers.get('etag')!;
    const changed = await identity.updateUser({ org, id: made.id, body: { lastName: 'Lovelace' } }, { ifMatch: etag });
    expect(changed.lastName).toBe('Lovelace');
    const late = await failure(identity.updateUser({ org, id: made.id, body: { lastName: 'Byron' } }, { ifMatch: etag }));
    expect(late).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect(await identity.deleteUser({ org, id: made.id, permanent: true })).toBeUndefined();
    expect(await failure(identity.getUser({ org, id: made.id }))).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  it('iterates over all pages of a list', async () => {
    const emails = Array.from({ length: 7 }, (_, index) => `page-${index}@example.com`);
    for (const email of emails) await identity.createUser({ org, body: { email } });
    const users = identity.listUsers({ org, search: 'page-', limit: 3 });
    const listed: string[] = [];
    for await (const user of users) listed.push(user.email);
    expect(listed).toEqual(emails.toReversed());
    expect((await users.page()).pagination).toEqual({ total: 7, page: 1, limit: 3, hasMore: true });
    expect((await users.take(4)).map(({ email }) => email)).toEqual(emails.toReversed().slice(0, 4));
    const fromSecond = await identity.listUsers({ org, search: 'page-', limit: 3, page: 2 }).take(10);
    expect(fromSecond.map(({ email }) => email)).toEqual(emails.toReversed().slice(3));
  });

  it('iterates over a list with a user ID as cursor', async () => {
    const members = new Set<string>();
    let pages = 0;
    for await (const page of identity.listMembers({ org, limit: 2 }).pages()) {
      pages += 1;
      for (const { userId } of page.data) members.add(userId);
    }
    expect(pages).toBeGreaterThan(2);
    expect(members.size).toBe((await identity.listMembers({ org }).page()).pagination.total);
    expect((await identity.listRoles({ org }).take(100)).map(({ name }) => name)).toContain('owner');
  });

  it('throws an error with the code and fields of the response', async () => {
    const taken = await failure(identity.createOrganization({ body: { name: 'Acme', slug: org } }));
    expect(taken).toBeInstanceOf(ApiError);
    expect(isApiError(taken, 'slug_taken')).toBe(true);
    expect(isApiError(taken, 'role_in_use')).toBe(false);
    expect(taken.message).toMatch(/already taken/);
    expect(taken.requestId).toMatch(/^req_/);
    const invalid = await failure(identity.createUser({ org, body: { email: 'no address' } }));
    expect(invalid).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ pointer: '/email', in: 'body' }] });
    const tooEarly = await failure(identity.getUser({ org, id: 'usr_1', asOf: '2001-01-01T00:00:00Z' }));
    expect(tooEarly).toMatchObject({ code: 'history_unavailable', earliest: expect.stringMatching(/^20\d\d-.*Z$/) });
    expect(invalid.earliest).toBeUndefined();
    const unauthorized = createIdentityClient({ baseUrl: app.url, apiKey: 'service_sk_wrong' });
    expect(await failure(unauthorized.listUsers({ org }).page())).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('checks and escapes path parameters', async () => {
    expect(() => createIdentityClient({ baseUrl: 'localhost' })).toThrow(/is not a URL/);
    await expect(identity.getUser({ org, id: '' })).rejects.toThrow(/"id" is missing/);
    const escaped = await failure(identity.getUser({ org, id: '../../organizations' }));
    expect(escaped).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  testRetries(() => {
    const outcome = (call: Promise<string>): Promise<CallResult> =>
      call.then(
        (value) => ({ value }),
        ({ status, code, retryAfterSeconds, message: text }: ApiError) => ({ status, code, retryAfterSeconds, text }),
      );
    const body = { organization: org, email: 'nobody@example.com', password: 'a wrong password' };
    return {
      app,
      proxy,
      userAgent: /^identity-service-client\/\d/,
      getOrganization: (isImpatient) =>
        outcome(unreliable.getOrganization({ org }, isImpatient ? { timeoutMs: 200, retries: 1 } : {}).then(({ slug }) => slug)),
      createUser: (email, idempotencyKey) =>
        outcome(unreliable.createUser({ org, body: { email } }, { idempotencyKey }).then((user) => user.email)),
      signIn: () => outcome(unreliable.login({ body }).then(() => 'signed in')),
    };
  });

  it('throws typed errors for timeouts, lost connections, aborted calls and unreachable services', async () => {
    proxy.plan('silence', 'lose-response', 'silence');
    expect(await failure(unreliable.getOrganization({ org }, { timeoutMs: 200, retries: 0 }))).toBeInstanceOf(TimeoutError);
    expect(await failure(unreliable.getOrganization({ org }, { retries: 0 }))).toBeInstanceOf(ConnectionError);
    const reason = new Error('enough');
    await expect(unreliable.getOrganization({ org }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const ended = new AbortController();
    const call = unreliable.getOrganization({ org }, { signal: ended.signal });
    setTimeout(() => ended.abort(reason), 100);
    await expect(call).rejects.toBe(reason);
    const unreachable = createIdentityClient({ baseUrl: `http://127.0.0.1:${await findFreePort()}`, retries: 1 });
    const error = await failure(unreachable.getLiveness());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(/ECONNREFUSED/);
  });

  it('imports and exports users', async () => {
    const lines = '{"email":"import-1@example.com"}\n{"email":"import-2@example.com"}\n';
    const outcome = await identity.importUsers({ org, body: lines });
    expect(outcome.trim().split('\n')).toHaveLength(3);
    const csv = 'email,firstName\nimport-3@example.com,Grace\n';
    const piped = new Blob([csv]).stream() as ReadableStream<Uint8Array>;
    const response = await identity.importUsers.stream({ org, body: piped }, { contentType: 'text/csv' });
    expect(await response.text()).toMatch(/"created":1/);
    const exported = await identity.exportUsers({ org, search: 'import-' });
    expect(exported.trim().split('\n')).toHaveLength(3);
  });

  describe('followEvents', () => {
    const named = (event: LoggedEvent): string => (event.type === 'role.created' ? (event.data.name ?? '') : event.type);
    const role = (name: string): Promise<unknown> => identity.createRole({ org, body: { name } });

    it('continues without gaps or duplicates after a lost connection', async () => {
      const [connects, losses]: [number[], Error[]] = [[], []];
      const stop = new AbortController();
      const events = unreliable.followEvents(
        { org, type: 'role.created' },
        { signal: stop.signal, onConnect: () => connects.push(Date.now()), onDisconnect: (error) => losses.push(error) },
      );
      const names: string[] = [];
      const following = (async () => {
        for await (const event of events) names.push(named(event));
      })();
      const until = (condition: () => boolean): Promise<void> => eventually(condition, 15_000, String(condition));
      proxy.plan();
      await until(() => connects.length === 1);
      // The service sends the current position before the first event.
      await sleep(300);
      proxy.cut();
      await role('while away');
      await until(() => names.length === 1);
      await role('second');
      await until(() => names.length === 2);
      proxy.cut();
      await role('third');
      await role('fourth');
      await until(() => names.length === 4);
      stop.abort();
      await following;
      expect(names).toEqual(['while away', 'second', 'third', 'fourth']);
      expect(losses.length).toBeGreaterThanOrEqual(2);
      expect(losses[0]).toBeInstanceOf(ConnectionError);
    });

    it('ends at the time of the until option', async () => {
      const seen: string[] = [];
      const until = new Date(Date.now() - 1).toISOString();
      for await (const event of identity.followEvents({ org, type: 'role.created', since: '2026-01-01T00:00:00Z', until })) {
        seen.push(named(event));
      }
      expect(seen).toContain('fourth');
      const unauthenticated = createIdentityClient({ baseUrl: app.url, apiKey: 'service_sk_wrong' });
      await expect(unauthenticated.followEvents({ org }).next()).rejects.toMatchObject({ code: 'unauthenticated' });
      await expect(identity.followEvents({ org: 'nowhere' }).next()).rejects.toMatchObject({ code: 'organization_not_found' });
    });
  });
});
