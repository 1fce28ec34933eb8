import { beforeAll, describe, expect, it } from '@jest/globals';
import { newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const SECRET = 'a-client-secret-that-must-not-show';

describe('an identity provider', () => {
  const app = testApp();
  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  });

  it('can be created, changed and deleted without returning the client secret', async () => {
    const organizationPath = `/v1/organizations/${(await newOrganization(app)).id}`;
    const path = `${organizationPath}/identity-providers`;
    const body = {
      name: 'Company login',
      issuer: 'https://login.example.com',
      clientId: 'abc',
      clientSecret: SECRET,
      scopes: ['email'],
    };
    const created = await app.api.platform.post(path, body).expect(201);
    const { id } = created.body.data as { id: string };

    expect(created.body.data).toMatchObject({
      name: 'Company login',
      type: 'oidc',
      enabled: true,
      hasClientSecret: true,
      scopes: ['openid', 'email'],
    });
    const organization = await app.api.platform.get(organizationPath).expect(200);
    expect(organization.body.data.identityProviders).toEqual([{ id, name: 'Company login', type: 'oidc', enabled: true }]);
    const listed = await app.api.platform.get(path).expect(200);
    expect(listed.body).toMatchObject({ data: [{ id }], pagination: { total: 1, page: 1, limit: 20, hasMore: false } });

    const changed = await app.api.platform.patch(`${path}/${id}`, { enabled: false, clientSecret: null }).expect(200);
    expect(changed.body.data).toMatchObject({ enabled: false, hasClientSecret: false, issuer: 'https://login.example.com' });
    await app.api.platform.delete(`${path}/${id}`).expect(204);
    await app.api.platform.get(`${path}/${id}`).expect(404);

    const events = await app.database.query<{ type: string; payload: string }>(
      `SELECT type, payload FROM events WHERE type LIKE 'identity_provider.%' AND organization_id = $1 ORDER BY seq`,
      [organization.body.data.id],
    );
    expect(events.map(({ type, payload }) => [type, JSON.parse(payload).data])).toEqual([
      ['identity_provider.created', expect.objectContaining({ id, enabled: true, scopes: ['openid', 'email'] })],
      [
        'identity_provider.updated',
        expect.objectContaining({
          id,
          changes: { enabled: { from: true, to: false }, clientSecret: { from: '(hidden)', to: '(hidden)' } },
        }),
      ],
      ['identity_provider.deleted', expect.objectContaining({ id, enabled: false })],
    ]);
    const everything = JSON.stringify([created.body, organization.body, listed.body, changed.body, events]);
    expect(everything).not.toContain(SECRET);
  });

  it('stores the client secret encrypted', async () => {
    const path = `/v1/organizations/${(await newOrganization(app)).id}/identity-providers`;
    const body = { name: 'Sealed', issuer: 'https://login.example.com', clientId: 'abc', clientSecret: SECRET };
    const { id } = (await app.api.platform.post(path, body).expect(201)).body.data;
    const [row] = await app.database.query<{ text: string }>('SELECT p::text AS text FROM identity_providers p WHERE id = $1', [
      id,
    ]);
    expect(row?.text).toContain('v1.');
    expect(row?.text).not.toContain(SECRET);
  });

  it.each([
    [{ issuer: 'http://login.example.com', clientId: 'a', name: 'x' }, '/issuer'],
    [{ issuer: 'https://user@login.example.com', clientId: 'a', name: 'x' }, '/issuer'],
    [{ issuer: 'https://login.example.com?x', clientId: 'a', name: 'x' }, '/issuer'],
    [{ issuer: 'https://ûñ.example.com', clientId: 'a', name: 'x' }, '/issuer'],
    [{ issuer: 'https://[:]', clientId: 'a', name: 'x' }, '/issuer'],
    [{ issuer: 'https://login.example.com/%zz', clientId: 'a', name: 'x' }, '/issuer'],
    [{ issuer: 'https://login.example.com', name: 'x' }, '/clientId'],
    [{ issuer: 'https://login.example.com', clientId: 'a', name: 'x', type: 'saml' }, '/type'],
  ])('rejects the fields %j', async (body, pointer) => {
    const rejected = await app.api.platform.post('/v1/organizations/acme/identity-providers', body).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer }]);
  });
});
