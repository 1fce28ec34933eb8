import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import { newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const SECRET = 'a-client-secret-that-must-not-show';

describe('an identity provider', () => {
  const app = testApp();
  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  });

  it('never shows the client secret, not even in the events of changes', async () => {
    const { id: organization } = await newOrganization(app);
    const path = `/v1/organizations/${organization}/identity-providers`;
    const body = { name: 'Login', issuer: 'https://login.example.com', clientId: 'abc', clientSecret: SECRET, scopes: ['email'] };
    const created = (await app.api.platform.post(path, body).expect(201)).body.data;
    expect(created).toMatchObject({ enabled: true, hasClientSecret: true, scopes: ['openid', 'email'] });
    const events = await eventsDuring(app, async () => {
      const change = { enabled: false, clientSecret: null };
      const changed = (await app.api.platform.patch(`${path}/${created.id}`, change).expect(200)).body.data;
      expect(changed).toMatchObject({ enabled: false, hasClientSecret: false, issuer: body.issuer });
    });
    expect(events.map(({ data }) => data.changes)).toEqual([
      { enabled: { from: true, to: false }, clientSecret: { from: '(hidden)', to: '(hidden)' } },
    ]);
    const shown = (await app.api.platform.get(`/v1/organizations/${organization}`).expect(200)).body.data;
    expect(shown.identityProviders).toEqual([{ id: created.id, name: 'Login', type: 'oidc', enabled: false }]);
    const stored = await app.database.query('SELECT payload FROM events WHERE organization_id = $1', [organization]);
    expect(JSON.stringify([created, shown, stored])).not.toContain(SECRET);
  });

  it.each([
    'http://login.example.com',
    'https://user@login.example.com',
    'https://login.example.com?x',
    'https://ûñ.example.com',
    'https://[:]',
    'https://login.example.com/%zz',
  ])('rejects the issuer %s', async (issuer) => {
    const body = { issuer, clientId: 'a', name: 'x' };
    const rejected = await app.api.platform.post('/v1/organizations/acme/identity-providers', body).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/issuer' }]);
  });
});
