import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { importUsers } from '../support/imports.js';
import { listenHttp } from '../support/local-receiver.js';
import { at, keyClient, newOrganization, read } from '../support/organizations.js';
import { moveClock } from '../support/second-factors.js';
import { activeUser, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const DAY_MS = 24 * 60 * 60_000;
const PATH = '/password-migration';

describe('passwords that a previous system confirms', () => {
  const app = testApp();
  /** The requests to the previous system, and what it answers. */
  const requests: { headers: Record<string, unknown>; body: string }[] = [];
  let answer: { status?: number; body: string; location?: string } = { body: '{"valid":true}' };
  const previous = testServer(() =>
    listenHttp((request, response) => {
      const respond = async (): Promise<void> => {
        requests.push({ headers: request.headers, body: await text(request) });
        response.writeHead(answer.status ?? 200, answer.location ? { location: answer.location } : {}).end(answer.body);
      };
      void respond();
    }),
  );
  const urlOf = (host = '127.0.0.1') => `http://${host}:${previous.port}/verify`;
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  let org: TestBody;
  let email: string;
  let secret: string;
  let counter = 0;

  beforeEach(async () => {
    org = await newOrganization(app);
    email = `previous-${++counter}@example.com`;
    await importUsers(app, org.id, [{ email, externalId: `old-${counter}`, status: 'active' }]);
    secret = (await app.api.platform.patch(at(org.id, PATH), { url: urlOf(), endsAt: inDays(30) }).expect(200)).body.data.secret;
    requests.length = 0;
    answer = { body: '{"valid":true}' };
  });

  it('are asked for once with a signed request, and stored with the costs of this service', async () => {
    const events = await eventsDuring(app, async () => {
      expect((await login(app, org.id, email).expect(200)).body.data.sessionToken).toEqual(expect.any(String));
    });
    const [{ headers, body }] = requests as [(typeof requests)[0]];
    const id = (await read(app, at(org.id, `/users?email=${email}`)))[0].id;
    expect(JSON.parse(body)).toEqual({
      type: 'password.verify',
      user: { id, externalId: `old-${counter}`, email },
      password: PASSWORD,
    });
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(events.map(({ type, data }) => [type, data.method])).toEqual([
      ['user.password_changed', 'migration'],
      ['user.login', 'password'],
    ]);
    expect(JSON.stringify(events)).not.toContain(PASSWORD);

    await login(app, org.id, email).expect(200);
    await login(app, org.id, email, 'wrong').expect(401, 'invalid_credentials');
    expect(requests).toHaveLength(1);
    const [{ hash }] = (await app.database.query('SELECT password_hash AS hash FROM user_credentials WHERE user_id = $1', [
      id,
    ])) as [{ hash: string }];
    expect(hash).toMatch(/^\$argon2id\$/);
  });

  it.each([
    ['says no', { body: '{"valid":false}' }, 401],
    ['says neither yes nor no', { body: '{"valid":"true"}' }, 503],
    ['fails', { status: 500, body: '{"valid":true}' }, 503],
    ['redirects', { status: 302, body: '{"valid":true}', location: 'http://127.0.0.1:9/' }, 503],
    ['sends too much', { body: `{"valid":true,"x":"${'x'.repeat(20_000)}"}` }, 503],
  ])('sign nobody in if the previous system %s', async (_, given, status) => {
    answer = given;
    const start = performance.now();
    await login(app, org.id, email).expect(status, status === 401 ? 'invalid_credentials' : 'unavailable');
    expect(performance.now() - start).toBeGreaterThan(990);
    const [{ failures }] = (await app.database.query(
      'SELECT coalesce(sum(failures), 0)::int AS failures FROM sign_in_failures WHERE tenant_id = $1',
      [org.tenantId ?? org.id],
    )) as [{ failures: number }];
    expect(failures > 0).toBe(status === 401);
    // An outage does not reveal which addresses have an account.
    await login(app, org.id, 'nobody@example.com').expect(status);
    expect(performance.now() - start).toBeGreaterThan(1_980);
    expect(requests).toHaveLength(1);
  });

  it('are not asked for when the migration is over, for users with permissions elsewhere, and for users who are not active', async () => {
    const parent = await newOrganization(app);
    const child = await newOrganization(app, { parentId: parent.id });
    await app.api.platform.patch(at(child.id, PATH), { url: urlOf(), endsAt: inDays(30) }).expect(200);
    await importUsers(app, child.id, [
      { email: 'elsewhere@example.com', status: 'active', memberships: [{ organization: parent.id, role: 'viewer' }] },
      { email: 'pending@example.com' },
    ]);
    for (const address of ['elsewhere@example.com', 'pending@example.com']) await login(app, child.id, address).expect(401);
    await app.api.platform.patch(at(org.id, PATH), { endsAt: inDays(1) }).expect(200);
    moveClock(app, 2 * DAY_MS);
    await login(app, org.id, email).expect(401);
    moveClock(app, -2 * DAY_MS);
    await app.api.platform.delete(at(org.id, PATH)).expect(204);
    await login(app, org.id, email).expect(401);
    expect(requests).toEqual([]);
  });

  it('need a URL with TLS or of the same machine, an end, and a caller with all permissions in a fresh session', async () => {
    const set = (body: object, client = app.api.platform) => client.patch(at(org.id, PATH), body);
    await set({ url: 'http://example.com/verify' }).expect(400, 'validation_failed');
    await set({ url: 'https://169.254.169.254/verify' }).expect(400, 'validation_failed');
    await set({ endsAt: inDays(-1) }).expect(400, 'validation_failed');
    await set({ endsAt: inDays(400) }).expect(400, 'validation_failed');
    const other = await newOrganization(app);
    expect((await app.api.platform.patch(at(other.id, PATH), { url: urlOf() }).expect(400)).body.errors[0].pointer).toBe(
      '/endsAt',
    );
    await app.api.platform.get(at(other.id, PATH)).expect(404, 'password_migration_not_found');

    const weak = await keyClient(app, org.id, ['organizations:*', 'users:*', 'members:*']);
    await set({ endsAt: inDays(2) }, weak).expect(403, 'forbidden');
    await weak.delete(at(org.id, PATH)).expect(403, 'forbidden');
    expect(await read(weak, at(org.id, PATH))).toMatchObject({ url: urlOf(), active: true });
    await activeUser(app, org.id, { email: `owner-${counter}@example.com`, roles: ['owner'] });
    const owner = app.api.as(await sessionToken(app, org.id, `owner-${counter}@example.com`));
    const events = await eventsDuring(app, async () => {
      expect((await set({ endsAt: inDays(2) }, owner).expect(200)).body.data.secret).toBeUndefined();
      expect((await set({ rotateSecret: true }, owner).expect(200)).body.data.secret).not.toBe(secret);
      await set({ url: urlOf() }, owner).expect(200);
    });
    expect(events.map(({ type, data }) => [type, Object.keys(data.changes), data.signatureRenewed])).toEqual([
      ['password_migration.updated', ['endsAt'], false],
      ['password_migration.updated', [], true],
    ]);
    moveClock(app, 11 * 60_000);
    await set({ endsAt: inDays(3) }, owner).expect(401, 'reauthentication_required');
  });
});
