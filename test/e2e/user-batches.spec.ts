import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { withEvents } from '../support/events-during.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, made, newOrganization, newUser, read } from '../support/organizations.js';
import { becomeStale } from '../support/sign-in.js';
import { impersonating, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const app = testApp();

describe('a batch of users', () => {
  let org: string;
  let group: string;
  let foreign: string;
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
  const batch = (action: string, body: object, client = app.api.platform, options = {}): Promise<TestResponse> =>
    client.post(at(org, `/users/batch/${action}`), body, options).expect(200);
  const pending = async (fields = {}): Promise<string> => (await newUser(app, org, fields)).id;
  const member = async (roles = ['member']): Promise<string> => (await signedIn(app, org, { roles })).id;
  const changed = async (path: string, body?: object): Promise<string> => {
    const id = await member();
    await app.api.platform.request(body ? 'POST' : 'DELETE', at(org, path.replace('ID', id)), body && idIn(body, id));
    return id;
  };
  const idIn = (body: object, id: string): object => JSON.parse(JSON.stringify(body).replace('ID', id));

  beforeAll(async () => {
    org = (await newOrganization(app)).id;
    await signedIn(app, org, { roles: ['owner'] });
    group = (await made(app, at(org, '/groups'), { name: 'Sales' })).id;
    foreign = (await newUser(app, (await newOrganization(app)).id)).id;
  });

  type Call = readonly [method: 'POST' | 'DELETE', path: string, body?: object];
  const ACTIONS: readonly [action: string, user: () => Promise<string>, fields: () => object, single: (id: string) => Call][] = [
    ['suspend', member, () => ({ reason: 'Left' }), (id) => ['POST', `/users/${id}/suspend`, { reason: 'Left' }]],
    ['activate', pending, () => ({}), (id) => ['POST', `/users/${id}/activate`]],
    ['delete', member, () => ({}), (id) => ['DELETE', `/users/${id}`]],
    ['delete', member, () => ({ permanent: true }), (id) => ['DELETE', `/users/${id}?permanent=true`]],
    ['restore', () => changed('/users/ID'), () => ({}), (id) => ['POST', `/users/${id}/restore`]],
    ['resend-invitation', pending, () => ({}), (id) => ['POST', `/users/${id}/invitation`]],
    ['assign-role', member, () => ({ roleId: 'viewer' }), (id) => ['POST', `/users/${id}/roles`, { roleId: 'viewer' }]],
    [
      'revoke-role',
      () => changed('/users/ID/roles', { roleId: 'viewer' }),
      () => ({ roleId: 'viewer' }),
      (id) => ['DELETE', `/users/${id}/roles/viewer`],
    ],
    ['remove-member', member, () => ({}), (id) => ['DELETE', `/members/${id}`]],
    ['add-to-group', member, () => ({ groupId: group }), (id) => ['POST', `/groups/${group}/members`, { userIds: [id] }]],
    [
      'remove-from-group',
      () => changed(`/groups/${group}/members`, { userIds: ['ID'] }),
      () => ({ groupId: group }),
      (id) => ['DELETE', `/groups/${group}/members/${id}`],
    ],
  ];
  it.each(ACTIONS)(
    'answers "%s" for each user as the operation for one user, with its events',
    async (action, user, fields, single) => {
      const [one, other] = [await user(), await user()];
      const send = (id: string) => {
        const [method, path, body] = single(id);
        return app.api.platform.request(method, at(org, path), body);
      };
      const [done, events] = await withEvents(app, () => send(one));
      const rejected = await send(foreign);

      const [{ body }, eventsOfBatch] = await withEvents(app, () =>
        batch(action, { userIds: [foreign, other, other], ...fields() }),
      );

      expect([done.status < 300, rejected.status >= 400]).toEqual([true, true]);
      const { succeeded, failed, results } = body.data;
      expect([succeeded, failed, results.length]).toEqual([1, 1, 2]);
      expect(results[1]).toEqual({ userId: other, status: done.status });
      const { requestId } = results[0].problem;
      const problem = { ...rejected.body, instance: at(org, `/users/batch/${action}`), requestId };
      expect(results[0]).toEqual({ userId: foreign, status: rejected.status, problem });
      expect(eventsOfBatch.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
      expect(Object.keys(eventsOfBatch[0]!.data)).toEqual(Object.keys(events[0]!.data));
    },
  );

  it('invites the valid addresses of a list, with roles', async () => {
    const { email } = await newUser(app, org);
    const emails = ['Ada@batch.example', 'no address', email, 'bob@batch.example'];
    const [{ body }, events] = await withEvents(app, () => batch('invite', { emails, roles: ['viewer'] }));
    expect(body.data.results).toMatchObject([
      { email: 'Ada@batch.example', status: 201, userId: expect.stringMatching(/^usr_/) },
      { email: 'no address', status: 400, problem: { errors: [{ pointer: '/email', code: 'invalid_email' }] } },
      { email, status: 409, problem: { code: 'email_taken' } },
      { email: 'bob@batch.example', status: 201 },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['user.created', 'user.created']);
    expect(await mailsTo(app, 'Ada@batch.example')).toHaveLength(1);
    expect((await read(app, at(org, `/users/${body.data.results[0].userId}`))).roles).toMatchObject([{ name: 'viewer' }]);
  });

  it('repeats only what failed if the request is sent again with its key', async () => {
    const [done, later] = [await pending(), await member()];
    const send = () => batch('resend-invitation', { userIds: [done, later] }, app.api.platform, withKey('again'));
    expect((await send()).body.data.results).toMatchObject([{ status: 200 }, { problem: { code: 'user_not_pending' } }]);
    await app.database.query(`UPDATE users SET status = 'pending' WHERE id = $1`, [later]);
    const [repeated, events] = await withEvents(app, send);
    expect([repeated.body.data.succeeded, events.map(({ data }) => data.userId)]).toEqual([2, [later]]);
    expect([repeated, await send()].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const other = { userIds: [later] };
    await app.api.platform
      .post(at(org, '/users/batch/resend-invitation'), other, withKey('again'))
      .expect(422, 'idempotency_key_reused');
  });

  it('counts the invitations of each user together with single ones', async () => {
    const [id, fresh] = [await pending(), await pending()];
    for (let sent = 0; sent < 4; sent++) await app.api.platform.post(at(org, `/users/${id}/invitation`)).expect(200);
    const resend = async () => (await batch('resend-invitation', { userIds: [id, fresh] })).body.data.results;
    expect([await resend(), await resend()]).toMatchObject([
      [{ status: 200 }, { status: 200 }],
      [{ status: 429, problem: { code: 'rate_limited' } }, { status: 200 }],
    ]);
  });

  it('needs a recent sign-in only for the users for whom the single operation does, and stops when the caller loses access', async () => {
    const admin = await signedIn(app, org, { roles: ['admin'] });
    const suspended = [await member(), await member(['viewer', 'member'])];
    const viewer = await member(['admin']);
    await batch('suspend', { userIds: [...suspended, viewer] }, admin.client);
    await becomeStale(app);
    const activated = (await batch('activate', { userIds: [...suspended, viewer] }, admin.client)).body.data.results;
    expect(activated.map(({ status }: TestBody) => status)).toEqual([200, 200, 401]);
    expect(activated[2].problem.code).toBe('reauthentication_required');
    const { body } = await batch('suspend', { userIds: [admin.id, ...suspended] }, admin.client);
    expect(body.data.results.map(({ status }: TestBody) => status)).toEqual([200, 401, 401]);
    expect((await read(app, at(org, `/users/${suspended[0]}`))).status).toBe('active');
  });

  it('does not change the user as whom an impersonator is signed in', async () => {
    const support = await signedIn(app, org, { roles: ['owner'] });
    const user = await signedIn(app, org, { roles: ['admin'] });
    const { client } = await impersonating(app, support, user, org);
    const { results } = (await batch('suspend', { userIds: [user.id, await member()] }, client)).body.data;
    expect(results).toMatchObject([{ status: 403, problem: { code: 'not_while_impersonating' } }, { status: 200 }]);
  });

  it('accepts 1,000 items, and rejects more', async () => {
    const nonexistent = Array.from({ length: 1_000 }, () => newId('user'));
    const userIds = [...nonexistent.slice(2), await member(), await member()];
    expect((await batch('suspend', { userIds })).body.data).toMatchObject({ succeeded: 2, failed: 998 });
    const tooMany = { userIds: [...userIds, ...nonexistent.slice(0, 1)] };
    await app.api.platform.post(at(org, '/users/batch/suspend'), tooMany).expect(400, 'validation_failed');
  });
});
