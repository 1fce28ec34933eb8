import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('the suspension of an organization', () => {
  const app = testApp();

  const newOrganization = async (parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name: 'Cut off', parentId }).expect(201)).body.data.id;
  const keyOf = async (organization: string) => {
    const { body } = await app.api.platform
      .post(`/v1/organizations/${organization}/api-keys`, { name: 'all', scopes: ['*'] })
      .expect(201);
    return app.api.as(body.data.key);
  };
  const suspend = (organization: string) => app.api.platform.post(`/v1/organizations/${organization}/suspend`).expect(200);
  const activate = (organization: string) => app.api.platform.post(`/v1/organizations/${organization}/activate`).expect(200);
  const isActive = async (token: string): Promise<boolean> =>
    (await app.api.platform.post('/v1/sessions/verify', { token }).expect(200)).body.data.active;

  it.each(['the organization', 'the parent organization'])(
    'denies access to users and API keys while %s is suspended',
    async (which) => {
      const parent = await newOrganization();
      const own = await newOrganization(parent);
      const key = await keyOf(own);
      const person = await signedIn(app, own, { roles: ['owner'] });
      const users = `/v1/organizations/${own}/users`;
      await key.get(users).expect(200);

      await suspend(which === 'the organization' ? own : parent);

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

      await activate(which === 'the organization' ? own : parent);

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
    const [key, person] = [await keyOf(parent), await signedIn(app, parent, { roles: ['owner'] })];
    await suspend(own);
    await key.get(`/v1/organizations/${own}/users`).expect(200);
    await person.client.get(`/v1/organizations/${own}/users`).expect(200);
    expect(await isActive(person.token)).toBe(true);
  });
});
