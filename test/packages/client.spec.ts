import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  type DpopProofError,
  ConnectionError,
  createIdentityClient,
  type IdentityClient,
  isApiError,
  type LoggedEvent,
  stepUpChallenge,
  TimeoutError,
  verifyDpopProof,
} from '../../packages/client/src/index.js';
import { eventually } from '../support/delivery-app.js';
import { findFreePort } from '../support/free-port.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';
import { testScenarios } from './client-scenarios.js';
import { proofCases, stepUpCases } from './proofs.js';
import { startProxy } from './proxy.js';
import { type CallResult, testRetries } from './resilience.js';

describe('the JavaScript client', () => {
  const app = testApp();
  const proxy = testServer(() => startProxy(app.url));
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
    identity = createIdentityClient({ baseUrl: app.url, apiKey: app.platformKey });
    unreliable = createIdentityClient({ baseUrl: `${proxy.url}/`, apiKey: app.platformKey, timeoutMs: 5_000 });
    await identity.createOrganization({ body: { name: 'Acme', slug: org } });
  });

  const users = () => identity.listUsers({ org, search: 'page-', limit: 3 });
  const emails = (page: readonly { email: string }[]): string[] => page.map(({ email }) => email);
  const scenarios = {
    async resources() {
      const made = await identity.createUser({ org, body: { email: 'ada@example.com', firstName: 'Ada' } });
      const { body, response } = await identity.getUser.withResponse({ org, id: made.id });
      const update = (lastName: string) =>
        identity.updateUser({ org, id: made.id, body: { lastName } }, { ifMatch: response.headers.get('etag')! });
      return {
        firstName: body.data.firstName,
        lastName: (await update('Lovelace')).lastName,
        late: await failure(update('Byron')),
        deleted: (await identity.deleteUser({ org, id: made.id, permanent: true })) === undefined,
        afterDeletion: await failure(identity.getUser({ org, id: made.id })),
      };
    },
    async lists() {
      const listed: string[] = [];
      for await (const { email } of users()) listed.push(email);
      const page = await users().page();
      const members = new Set<string>();
      for await (const { data } of identity.listMembers({ org, limit: 2 }).pages())
        for (const each of data) members.add(each.userId);
      return {
        emails: listed,
        first: emails(await users().take(2)),
        fromSecond: (await identity.listUsers({ org, search: 'page-', limit: 3, page: 2 }).take(10)).length,
        owner: (await identity.listRoles({ org }).take(100)).some(({ name }) => name === 'owner'),
        allMembers: members.size === (await identity.listMembers({ org }).page()).pagination.total,
        page: [page.data.length, page.pagination.total, page.pagination.hasMore],
      };
    },
    async errors() {
      const invalid = await failure(identity.createUser({ org, body: { email: 'no address' } }));
      const conflict = await failure(identity.createOrganization({ body: { name: 'Acme', slug: org } }));
      const badURL = await failure(Promise.resolve().then(() => createIdentityClient({ baseUrl: 'localhost' })));
      return {
        conflict,
        isConflict: [conflict instanceof ApiError, isApiError(conflict, 'slug_taken'), isApiError(conflict, 'role_in_use')],
        invalid: { ...invalid, fields: invalid.errors.map(({ pointer }) => pointer) },
        missing: await failure(identity.getUser({ org, id: '../../organizations' })),
        unauthenticated: await failure(
          createIdentityClient({ baseUrl: app.url, apiKey: 'service_sk_wrong' }).listUsers({ org }).page(),
        ),
        tooEarly: await failure(identity.getUser({ org, id: 'usr_1', asOf: '2001-01-01T00:00:00Z' })),
        empty: (await failure(identity.getUser({ org, id: '' }))).message,
        badURL: badURL.message,
      };
    },
    async bodies() {
      const csv = new Blob(['email\nimport-2@example.com\nimport-3@example.com\n']).stream() as ReadableStream<Uint8Array>;
      return {
        ndjson: await identity.importUsers({ org, body: '{"email":"import-1@example.com"}\n' }),
        csv: await (await identity.importUsers.stream({ org, body: csv }, { contentType: 'text/csv' })).text(),
        exported: (await identity.exportUsers({ org, search: 'import-' })).trim().split('\n').length,
      };
    },
  };
  testScenarios(app, (name) => scenarios[name](), { errors: { isConflict: [true, true, false] } });

  const outcome = (call: Promise<string>): Promise<CallResult> =>
    call.then(
      (value) => ({ value }),
      ({ status, code, retryAfterSeconds, message: text }: ApiError) => ({ status, code, retryAfterSeconds, text }),
    );
  const body = { organization: org, email: 'nobody@example.com', password: 'a wrong password' };
  testRetries({
    app,
    proxy,
    userAgent: /^identity-service-client\/\d/,
    getOrganization: (isImpatient) =>
      outcome(unreliable.getOrganization({ org }, isImpatient ? { timeoutMs: 200, retries: 1 } : {}).then(({ slug }) => slug)),
    createUser: (email, idempotencyKey) =>
      outcome(unreliable.createUser({ org, body: { email } }, { idempotencyKey }).then((user) => user.email)),
    signIn: () => outcome(unreliable.login({ body }).then(() => 'signed in')),
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

  it('checks DPoP proofs, and whether a sign-in is recent and strong enough', async () => {
    for (const { name, expected, ...request } of await proofCases()) {
      const outcome = await verifyDpopProof(request).then(
        () => 'ok',
        ({ code }: DpopProofError) => code,
      );
      expect([name, outcome]).toEqual([name, expected]);
    }
    for (const { name, claims, acrValues, maxAgeSeconds, expected } of stepUpCases()) {
      const required = { acrValues, ...(maxAgeSeconds === null ? {} : { maxAgeSeconds }) };
      expect([name, stepUpChallenge(claims, required) ?? null]).toEqual([name, expected]);
    }
  });

  describe('followEvents', () => {
    const named = (event: LoggedEvent): string => (event.type === 'role.created' ? (event.data.name ?? '') : event.type);
    const role = (name: string): Promise<unknown> => identity.createRole({ org, body: { name } });

    it('continues without gaps or duplicates after a lost connection', async () => {
      const [connects, losses]: [number[], Error[]] = [[], []];
      const stop = new AbortController();
      const events = unreliable.followEvents(
        { org, type: ['role.created'] },
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
      for await (const event of identity.followEvents({ org, type: ['role.created'], since: '2026-01-01T00:00:00Z', until })) {
        seen.push(named(event));
      }
      expect(seen).toContain('fourth');
      const unauthenticated = createIdentityClient({ baseUrl: app.url, apiKey: 'service_sk_wrong' });
      await expect(unauthenticated.followEvents({ org }).next()).rejects.toMatchObject({ code: 'unauthenticated' });
      await expect(identity.followEvents({ org: 'nowhere' }).next()).rejects.toMatchObject({ code: 'organization_not_found' });
    });
  });
});
