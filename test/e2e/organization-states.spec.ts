import { beforeAll, describe, expect, it } from '@jest/globals';
import { type TestApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';
import { expectFields } from '../support/fields.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

const STATUS = { id: 'string', status: ['active', 'suspended', 'pending'], updatedAt: 'timestamp' } as const;
const SUSPENDED = { ...STATUS, suspendedAt: 'timestamp', suspendedReason: 'text' } as const;

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
const keyOf = async (app: TestApp, id: string): Promise<TestClient> =>
  app.api.as((await app.api.platform.post(at(id, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data.key);
const make = async (caller: TestClient, body: object): Promise<TestBody> =>
  (await caller.post('/v1/organizations', body).expect(201)).body.data;

describe('an organization', () => {
  const app = testApp();

  it('publishes one event for each change of the suspension', async () => {
    const { id } = await make(app.api.platform, { name: 'Told', metadata: { plan: 'pro' } });
    let response: TestBody;
    const suspend = (body?: object) => async () => {
      response = (await app.api.platform.post(at(id, '/suspend'), body).expect(200)).body.data;
    };

    const [first, ...more] = await eventsDuring(app, suspend({ reason: 'Unpaid' }));
    expectFields(response, SUSPENDED);
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
  });

  it('publishes one event for an activation', async () => {
    const { id } = await make(app.api.platform, { name: 'Activated' });
    const { suspendedAt } = (await app.api.platform.post(at(id, '/suspend'), { reason: 'Why' }).expect(200)).body.data;
    const activate = async (): Promise<void> => {
      const { data } = (await app.api.platform.post(at(id, '/activate')).expect(200)).body;
      expectFields(data, STATUS);
      expect(data).toMatchObject({ id, status: 'active' });
    };

    const [event, ...more] = await eventsDuring(app, activate);
    expect(more).toEqual([]);
    expect(event!.data.changes).toEqual({
      status: { from: 'suspended', to: 'active' },
      suspendedAt: { from: suspendedAt, to: null },
      suspendedReason: { from: 'Why', to: null },
    });
    expect(await eventsDuring(app, activate)).toEqual([]);
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
    const made = async (name: string, parentId?: string) =>
      (await app.api.platform.post('/v1/organizations', { name, ...(parentId ? { parentId } : {}) }).expect(201)).body.data
        .id as string;
    const keyOf = async (id: string) => {
      const key = await app.api.platform.post(at(id, '/api-keys'), { name: 'all', scopes: ['*'] }).expect(201);
      return app.api.as(key.body.data.key as string);
    };
    const top = await made('Suspender');
    const middle = await made('Middle', top);
    const leaf = await made('Leaf', middle);
    const [topKey, middleKey, leafKey] = [await keyOf(top), await keyOf(middle), await keyOf(leaf)];

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
