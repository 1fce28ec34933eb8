import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, newOrganization } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('an organization', () => {
  const app = testApp();

  it('publishes one event for each change of the suspension, and for the activation', async () => {
    const { id } = await newOrganization(app, { name: 'Told', metadata: { plan: 'pro' } });
    const responses: TestBody[] = [];
    const change = async (path: string, body?: object) =>
      responses.push((await app.api.platform.post(at(id, path), body).expect(200)).body.data);
    const events = await eventsDuring(app, async () => {
      for (let times = 0; times < 2; times++) await change('/suspend', { reason: 'Unpaid' });
      await change('/suspend');
      for (let times = 0; times < 2; times++) await change('/activate');
    });
    const [first, same, second, active] = responses;
    expect(same).toEqual(first);
    const organization = { id, name: 'Told' };
    expect(events).toMatchObject(
      [first, second, active].map(({ status, updatedAt }) => ({
        type: 'organization.updated',
        organization,
        data: { ...organization, status, updatedAt, metadata: { plan: 'pro' } },
      })),
    );
    expect(events.map(({ data }) => data.changes)).toEqual([
      {
        status: { from: 'active', to: 'suspended' },
        suspendedAt: { from: null, to: first.suspendedAt },
        suspendedReason: { from: null, to: 'Unpaid' },
      },
      {
        suspendedAt: { from: first.suspendedAt, to: second.suspendedAt },
        suspendedReason: { from: 'Unpaid', to: '' },
      },
      {
        status: { from: 'suspended', to: 'active' },
        suspendedAt: { from: second.suspendedAt, to: null },
        suspendedReason: { from: '', to: null },
      },
    ]);
  });

  describe('the suspension', () => {
    const isActive = async (token: string): Promise<boolean> =>
      (await app.api.platform.post('/v1/sessions/verify', { token }).expect(200)).body.data.active;

    it.each(['the organization', 'the parent organization'])(
      'denies access to users and API keys while %s is suspended',
      async (which) => {
        const parent = (await newOrganization(app)).id;
        const own = (await newOrganization(app, { parentId: parent })).id;
        const key = await keyClient(app, own, ['*']);
        const person = await signedIn(app, own, { roles: ['owner'] });
        const users = at(own, '/users');
        const changed = at(which === 'the organization' ? own : parent);
        await key.get(users).expect(200);

        await app.api.platform.post(`${changed}/suspend`).expect(200);

        expect(await isActive(person.token)).toBe(false);
        for (const request of [
          () => person.client.get(users),
          () => person.client.get('/v1/auth/me'),
          () => person.client.post('/v1/auth/token', { audience: 'https://app.example.com' }),
        ])
          expect((await request().expect(403)).body.code).toBe('organization_suspended');
        for (const path of [users, `${users}/export`])
          expect((await key.get(path).expect(403)).body.code).toBe('organization_suspended');

        await app.api.platform.post(`${changed}/activate`).expect(200);

        expect(await isActive(person.token)).toBe(true);
        await person.client.get(users).expect(200);
        await person.client.post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201);
        await key.get(users).expect(200);
      },
    );

    it('can be ended by the user who started the suspension', async () => {
      const own = (await newOrganization(app)).id;
      const [leaving, owner] = [await signedIn(app, own), await signedIn(app, own, { roles: ['owner'] })];
      await owner.client.post(at(own, '/suspend')).expect(200);
      await leaving.client.post('/v1/auth/logout').expect(204);
      await owner.client.get(at(own)).expect(403);
      await owner.client.post(at(own, '/activate')).expect(200);
      await owner.client.get(at(own)).expect(200);
    });

    it('does not affect users and API keys of the parent organization', async () => {
      const parent = (await newOrganization(app)).id;
      const own = (await newOrganization(app, { parentId: parent })).id;
      const [key, person] = [await keyClient(app, parent, ['*']), await signedIn(app, parent, { roles: ['owner'] })];
      await app.api.platform.post(at(own, '/suspend')).expect(200);
      await key.get(at(own, '/users')).expect(200);
      await person.client.get(at(own, '/users')).expect(200);
      expect(await isActive(person.token)).toBe(true);
    });
  });
});

/** The service runs with `ORGANIZATION_APPROVAL=true`. */
describe('an organization that needs approval', () => {
  const app = testApp({ organizationApproval: true });
  let top: string;
  let key: TestClient;
  const make = async (caller = key, parentId = top): Promise<TestBody> =>
    (await caller.post('/v1/organizations', { name: 'Waiting', parentId }).expect(201)).body.data;

  beforeAll(async () => {
    top = (await newOrganization(app)).id;
    key = await keyClient(app, top, ['*']);
  });

  it('is pending unless the platform creates the organization', async () => {
    expect([(await make(app.api.platform)).status, (await make()).status]).toEqual(['active', 'pending']);
  });

  it('can be approved only by the platform', async () => {
    const { id } = await make();
    expect((await key.post(at(id, '/activate')).expect(403)).body.code).toBe('forbidden');
    await key.post(at(id, '/suspend')).expect(409);
    await key.post(at(id, '/activate')).expect(403);

    const events = await eventsDuring(app, () => app.api.platform.post(at(id, '/activate')).expect(200));
    expect(events).toMatchObject([{ type: 'organization.updated', data: { status: 'active' } }]);
    expect(events[0]!.data.changes).toEqual({ status: { from: 'pending', to: 'active' } });
    await key.post(at(id, '/users'), { email: 'approved@x.example' }).expect(201);
  });

  it('stays pending after deletion and restoration', async () => {
    const { id } = await make();
    await key.delete(at(id)).expect(204);
    expect((await key.post(at(id, '/restore')).expect(200)).body.data.status).toBe('pending');
    await key.post(at(id, '/activate')).expect(403);
  });

  it("can't be activated below the ancestor that suspended the organization", async () => {
    const middle = (await make(app.api.platform)).id;
    const leaf = (await make(app.api.platform, middle)).id;
    const [topKey, middleKey, leafKey] = [key, await keyClient(app, middle, ['*']), await keyClient(app, leaf, ['*'])];

    await leafKey.post(at(leaf, '/suspend')).expect(200);
    await leafKey.post(at(leaf, '/activate')).expect(200);

    await middleKey.post(at(leaf, '/suspend'), { reason: 'from the middle' }).expect(200);
    expect((await leafKey.post(at(leaf, '/activate')).expect(403)).body.detail).toContain(
      'suspended with a platform key or by an ancestor organization',
    );
    await leafKey.post(at(leaf, '/suspend'), { reason: 'mine' }).expect(403);
    await topKey.post(at(leaf, '/suspend'), { reason: 'from the top' }).expect(200);
    await middleKey.post(at(leaf, '/activate')).expect(403);
    await topKey.post(at(leaf, '/activate')).expect(200);

    await app.api.platform.post(at(top, '/suspend'), { reason: 'unpaid' }).expect(200);
    await topKey.post(at(top, '/activate')).expect(403);
    await app.api.platform.post(at(top, '/activate')).expect(200);
  });
});
