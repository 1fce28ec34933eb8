import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';

const DAY_MS = 86_400_000;
const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

describe('the deletion of an organization', () => {
  const app = testApp({ webhookRetryScheduleMs: [1_000, 1_000] });
  let receiver: Receiver;
  let next = 0;

  const make = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const user = async (organization: string, body: object = {}): Promise<string> =>
    (await app.api.platform.post(at(organization, '/users'), { email: `d${++next}@x.example`, ...body }).expect(201)).body.data
      .id;
  const remove = (id: string, query = '') => app.api.platform.delete(at(id, query));
  const restore = (id: string) => app.api.platform.post(at(id, '/restore'));
  const read = async (path: string): Promise<TestBody> => (await app.api.platform.get(path).expect(200)).body;
  const received = async (path: string, count: number): Promise<string[]> => {
    const mine = () => receiver.requests.filter((request) => request.path === path);
    for (let waitedMs = 0; mine().length < count && waitedMs < 10_000; waitedMs += 50)
      await new Promise((resolve) => setTimeout(resolve, 50));
    // A superfluous request would arrive within this time.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return mine()
      .map(({ body }) => JSON.parse(body.toString()))
      .map(({ type, data }) => `${type} ${data.name}`)
      .toSorted();
  };

  beforeAll(async () => {
    let rejected = 0;
    receiver = await startReceiver(({ path }) => (path === '/refusing' && ++rejected <= 2 ? { status: 503 } : undefined));
  });
  afterAll(() => receiver.stop());

  it('is rejected while there are child organizations', async () => {
    const top = await make('Refusing');
    await make('Refusing below', top);
    expect(await eventsDuring(app, () => remove(top).expect(409))).toEqual([]);
    expect(await eventsDuring(app, () => remove(top, '?cascade=false').expect(409))).toEqual([]);
    expect((await read(at(top))).data.children).toHaveLength(1);
  });

  it('publishes one event per organization, ancestors first, if cascade is set', async () => {
    const top = await make('Cascading');
    const left = await make('Cascading left', top);
    const right = await make('Cascading right', top);
    const leaf = await make('Cascading leaf', left);
    await user(leaf);

    const events = await eventsDuring(app, () => remove(top, '?cascade=true').expect(204));

    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => 'organization.deleted'));
    const order = events.map(({ organization }) => organization.id);
    expect(order.toSorted()).toEqual([top, left, right, leaf].toSorted());
    expect(order[0]).toBe(top);
    expect(order.indexOf(leaf)).toBeGreaterThan(order.indexOf(left));
    for (const { organization, data } of events) {
      expect(data).toMatchObject({ id: organization.id, name: organization.name, status: 'active' });
      expect(data.settings.defaultRole).toBe('role_member');
      expect(Date.parse(data.purgeAt) - Date.parse(data.deletedAt)).toBe(30 * DAY_MS);
      expect(data.deletedAt).toBe(events[0]!.data.deletedAt);
    }
  });

  it('has a preview with the organizations and users to delete', async () => {
    const top = await make('Previewed');
    const leaf = await make('Previewed leaf', await make('Previewed below', top));
    const other = await make('Not previewed');
    await user(top);
    await user(leaf);
    await user(other);
    await app.api.platform.delete(at(leaf, `/users/${await user(leaf)}`)).expect(204);
    const askedAt = Date.now();
    const { data } = await read(at(top, '/deletion'));
    expect(data).toMatchObject({ organizationsBelow: 2, users: 2 });
    expect(Date.parse(data.restorableUntil) - askedAt - 30 * DAY_MS).toBeLessThan(60_000);
    expect((await read(at(leaf, '/deletion'))).data).toMatchObject({ organizationsBelow: 0, users: 1 });
  });

  it('removes the users from lists, counts and checks until the restoration', async () => {
    const top = await make('Losing');
    const managingOrganization = await make('Losing home', top);
    const other = await make('Losing other', top);
    const id = await user(managingOrganization, { firstName: 'Lost' });
    await user(other);
    await app.api.platform.post(at(other, '/members'), { userId: id, role: 'admin' }).expect(201);
    await app.api.platform.post(at(other, `/users/${id}/roles`), { roleId: 'role_owner' }).expect(201);
    const readState = async () => {
      const users = await read(at(other, '/users'));
      const members = await read(at(other, '/members'));
      const owners = await read(at(other, '/users?role=owner'));
      const found = await read(at(other, '/users?search=lost'));
      const check = await app.api.platform.post(at(other, '/permissions/check'), { userId: id, permission: 'users:read' });
      return {
        users: [users.pagination.total, users.data.some((each: TestBody) => each.id === id)],
        members: [members.pagination.total, members.data.some((each: TestBody) => each.userId === id)],
        owners: owners.pagination.total,
        found: found.pagination.total,
        memberCount: (await read(at(other))).data.memberCount,
        inTree: (await read(at(top, '/hierarchy'))).data.children
          .map((each: TestBody) => [each.name, each.memberCount])
          .toSorted(),
        allowed: check.body.data.allowed,
      };
    };
    const before = await readState();
    expect(before).toMatchObject({ users: [2, true], members: [2, true], owners: 1, found: 1, memberCount: 2, allowed: true });

    await remove(managingOrganization).expect(204);
    expect(await readState()).toEqual({
      users: [1, false],
      members: [1, false],
      owners: 0,
      found: 0,
      memberCount: 1,
      inTree: [['Losing other', 1]],
      allowed: false,
    });
    for (const path of [`/users/${id}`]) await app.api.platform.get(at(other, path)).expect(404);
    await app.api.platform.post(at(other, '/members'), { userId: id }).expect(404);

    await restore(managingOrganization).expect(200);
    expect(await readState()).toEqual(before);
  });

  it('is reversed by the restoration, except for descendants that were deleted earlier', async () => {
    const top = await make('Coming back');
    const middle = await make('Coming back middle', top);
    const leaf = await make('Coming back leaf', middle);
    const earlier = await make('Gone earlier', middle);
    await remove(earlier).expect(204);
    await remove(top, '?cascade=true').expect(204);

    for (const descendant of [middle, leaf, earlier])
      expect((await restore(descendant).expect(409)).body.code).toBe('parent_deleted');

    let response: TestBody;
    const events = await eventsDuring(app, async () => {
      response = (await restore(top).expect(200)).body.data;
    });
    expect(response).toEqual({ id: top, status: 'active', updatedAt: expect.any(String) });
    expect(events.map(({ type, organization }) => [type, organization.id]).toSorted()).toEqual(
      [top, middle, leaf].map((id) => ['organization.updated', id]).toSorted(),
    );
    for (const { data } of events) {
      expect(data.changes).toEqual({ deletedAt: { from: expect.stringMatching(/Z$/), to: null } });
      expect(data.updatedAt).toBe(response.updatedAt);
    }
    await read(at(leaf));
    await app.api.platform.get(at(earlier)).expect(404);

    expect(await eventsDuring(app, () => restore(top).expect(200))).toEqual([]);
    expect(await eventsDuring(app, () => restore(earlier).expect(200))).toHaveLength(1);
    await read(at(earlier));
  });

  it('is reversed by the restoration by slug, with the users and API keys', async () => {
    const { id: top, slug } = (await app.api.platform.post('/v1/organizations', { name: 'Restored' }).expect(201)).body.data;
    const sub = await make('Restored below', top);
    const id = await user(sub, { email: 'restored@x.example' });
    const { key } = (await app.api.platform.post(at(top, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data;
    await remove(top, '?cascade=true').expect(204);
    await app.api.as(key).get(at(top)).expect(401);
    await restore(slug).expect(200);
    expect((await read(at(slug))).data).toMatchObject({ id: top, status: 'active' });
    expect((await read(at(sub, `/users/${id}`))).data.email).toBe('restored@x.example');
    await app.api.as(key).get(at(top)).expect(200);
  });

  it('is delivered only to webhooks of the organization and the parent', async () => {
    const hook = (organization: string, name: string) =>
      app.api.platform
        .post(at(organization, '/webhooks'), {
          url: `${receiver.url}${name}`,
          events: ['organization.created', 'organization.deleted'],
        })
        .expect(201);
    const top = await make('Hearing');
    await hook(top, 'top');
    const child = await make('Child', top);
    await hook(child, 'child');
    const grandchild = await make('Grandchild', child);
    await hook(grandchild, 'grandchild');
    await remove(child, '?cascade=true').expect(204);

    expect(await received('/top', 2)).toEqual(['organization.created Child', 'organization.deleted Child']);
    expect(await received('/child', 3)).toEqual([
      'organization.created Grandchild',
      'organization.deleted Child',
      'organization.deleted Grandchild',
    ]);
    expect(await received('/grandchild', 1)).toEqual(['organization.deleted Grandchild']);
  });

  it('does not stop the retries of earlier events', async () => {
    const organization = await make('Heard to the end');
    await app.api.platform
      .post(at(organization, '/webhooks'), { url: `${receiver.url}refusing`, events: ['user.created', 'organization.deleted'] })
      .expect(201);
    await user(organization);
    await received('/refusing', 1);
    await remove(organization).expect(204);

    const delivered = new Set<string>();
    for (let waitedMs = 0; delivered.size < 2 && waitedMs < 10_000; waitedMs += 50) {
      await sleep(50);
      const responses = await app.database.query<{ event_type: string }>(
        `SELECT event_type FROM deliveries WHERE organization_id = $1 AND status = 'succeeded'`,
        [organization],
      );
      for (const { event_type: type } of responses) delivered.add(type);
    }
    expect([...delivered].toSorted()).toEqual(['organization.deleted', 'user.created']);
  });
});
