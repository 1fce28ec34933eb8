import { beforeAll, describe, expect, it } from '@jest/globals';
import { type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
const keyOf = async (app: TestApp, id: string): Promise<TestClient> =>
  app.api.as((await app.api.platform.post(at(id, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data.key);
const make = async (caller: TestClient, body: object): Promise<TestBody> =>
  (await caller.post('/v1/organizations', body).expect(201)).body.data;

describe('an organization', () => {
  const app = testApp();

  it('publishes one event for each change of the suspension, and for the activation', async () => {
    const { id } = await make(app.api.platform, { name: 'Told', metadata: { plan: 'pro' } });
    let response: TestBody;
    const suspend = (body?: object) => async () => {
      response = (await app.api.platform.post(at(id, '/suspend'), body).expect(200)).body.data;
    };

    const [first, ...more] = await eventsDuring(app, suspend({ reason: 'Unpaid' }));
    expect(response).toMatchObject({ id, status: 'suspended', suspendedReason: 'Unpaid' });
    expect(more).toEqual([]);
    expect(first).toMatchObject({ type: 'organization.updated', organization: { id, name: 'Told' } });
    expect(first!.data).toMatchObject({
      id,
      name: 'Told',
      status: 'suspended',
      metadata: { plan: 'pro' },
      updatedAt: response.updatedAt,
    });
    expect(first!.data.changes).toEqual({
      status: { from: 'active', to: 'suspended' },
      suspendedAt: { from: null, to: response.suspendedAt },
      suspendedReason: { from: null, to: 'Unpaid' },
    });

    const before = response;
    expect(await eventsDuring(app, suspend({ reason: 'Unpaid' }))).toEqual([]);
    expect(response).toEqual(before);

    const [second] = await eventsDuring(app, suspend());
    expect(response.suspendedReason).toBe('');
    expect(second!.data.changes).toEqual({
      suspendedAt: { from: before.suspendedAt, to: response.suspendedAt },
      suspendedReason: { from: 'Unpaid', to: '' },
    });

    const { suspendedAt } = response;
    const activate = () => app.api.platform.post(at(id, '/activate')).expect(200);
    const [activated, ...others] = await eventsDuring(app, activate);
    expect(others).toEqual([]);
    expect(activated!.data.changes).toEqual({
      status: { from: 'suspended', to: 'active' },
      suspendedAt: { from: suspendedAt, to: null },
      suspendedReason: { from: '', to: null },
    });
    expect(await eventsDuring(app, activate)).toEqual([]);
  });

  describe('the suspension', () => {
    const newOrganization = async (parentId?: string): Promise<string> =>
      (await make(app.api.platform, { name: 'Cut off', parentId })).id;
    const isActive = async (token: string): Promise<boolean> =>
      (await app.api.platform.post('/v1/sessions/verify', { token }).expect(200)).body.data.active;

    it.each(['the organization', 'the parent organization'])(
      'denies access to users and API keys while %s is suspended',
      async (which) => {
        const parent = await newOrganization();
        const own = await newOrganization(parent);
        const key = await keyOf(app, own);
        const person = await signedIn(app, own, { roles: ['owner'] });
        const users = `/v1/organizations/${own}/users`;
        await key.get(users).expect(200);

        await app.api.platform.post(at(which === 'the organization' ? own : parent, '/suspend')).expect(200);

        expect(await isActive(person.token)).toBe(false);
        for (const request of [
          () => person.client.get(users),
          () => person.client.get('/v1/auth/me'),
          () => person.client.post('/v1/auth/token'),
        ])
          expect((await request().expect(403)).body.code).toBe('organization_suspended');
        // The lookup of a key is cached for less than a second.
        await eventually(async () => (await key.get(users)).status === 403, 5_000, 'the key is refused');
        expect((await key.get(`${users}/export`).expect(403)).body.code).toBe('organization_suspended');

        await app.api.platform.post(at(which === 'the organization' ? own : parent, '/activate')).expect(200);

        expect(await isActive(person.token)).toBe(true);
        await person.client.get(users).expect(200);
        await person.client.post('/v1/auth/token').expect(201);
        await eventually(async () => (await key.get(users)).status === 200, 5_000, 'the key works again');
      },
    );

    it('can be ended by the user who started the suspension', async () => {
      const own = await newOrganization();
      const [leaving, owner] = [await signedIn(app, own), await signedIn(app, own, { roles: ['owner'] })];
      await owner.client.post(`/v1/organizations/${own}/suspend`).expect(200);
      await leaving.client.post('/v1/auth/logout').expect(204);
      await owner.client.get(`/v1/organizations/${own}`).expect(403);
      await owner.client.post(`/v1/organizations/${own}/activate`).expect(200);
      await owner.client.get(`/v1/organizations/${own}`).expect(200);
    });

    it('does not affect users and API keys of the parent organization', async () => {
      const parent = await newOrganization();
      const own = await newOrganization(parent);
      const [key, person] = [await keyOf(app, parent), await signedIn(app, parent, { roles: ['owner'] })];
      await app.api.platform.post(at(own, '/suspend')).expect(200);
      await key.get(`/v1/organizations/${own}/users`).expect(200);
      await person.client.get(`/v1/organizations/${own}/users`).expect(200);
      expect(await isActive(person.token)).toBe(true);
    });
  });
});

/** The service runs with `ORGANIZATION_APPROVAL=true`. */
describe('an organization that needs approval', () => {
  const app = testApp({ organizationApproval: true });
  let top: string;
  let key: TestClient;

  beforeAll(async () => {
    top = (await make(app.api.platform, { name: 'Approved' })).id;
    key = await keyOf(app, top);
  });

  it('is pending unless the platform creates the organization', async () => {
    expect(await make(app.api.platform, { name: 'By the platform', parentId: top })).toMatchObject({ status: 'active' });
    expect(await make(key, { name: 'By a key', parentId: top })).toMatchObject({ status: 'pending' });
  });

  it('can be approved only by the platform', async () => {
    const { id } = await make(key, { name: 'Approval', parentId: top });
    expect((await key.post(at(id, '/activate')).expect(403)).body.code).toBe('forbidden');
    await key.post(at(id, '/suspend')).expect(409);
    await key.post(at(id, '/activate')).expect(403);

    const [event, ...more] = await eventsDuring(app, () => app.api.platform.post(at(id, '/activate')).expect(200));
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'organization.updated', data: { status: 'active' } });
    expect(event!.data.changes).toEqual({ status: { from: 'pending', to: 'active' } });
    await key.post(at(id, '/users'), { email: 'approved@x.example' }).expect(201);
  });

  it('stays pending after deletion and restoration', async () => {
    const { id } = await make(key, { name: 'Deleted while waiting', parentId: top });
    await key.delete(at(id)).expect(204);
    expect((await key.post(at(id, '/restore')).expect(200)).body.data.status).toBe('pending');
    await key.post(at(id, '/activate')).expect(403);
  });

  it("can't be activated below the ancestor that suspended the organization", async () => {
    const top = (await make(app.api.platform, { name: 'Suspender' })).id;
    const middle = (await make(app.api.platform, { name: 'Middle', parentId: top })).id;
    const leaf = (await make(app.api.platform, { name: 'Leaf', parentId: middle })).id;
    const [topKey, middleKey, leafKey] = [await keyOf(app, top), await keyOf(app, middle), await keyOf(app, leaf)];

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
