import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { made, newOrganization } from '../support/organizations.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

describe('a linked identity', () => {
  const app = testApp();
  let provider: ScriptedProvider;
  let org: TestBody;
  let idp: TestBody;
  let counter = 0;
  beforeAll(async () => {
    provider = await startScriptedProvider();
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    org = await newOrganization(app);
    idp = await identityProvider(app, org.id, provider.issuer, { trustedDomains: ['corp.example'] });
  });

  /** Signs a person in with the provider. Returns the ID and the client of the user. */
  async function signInWithProvider(
    email = `person-${++counter}@corp.example`,
  ): Promise<{ id: string; email: string; client: TestClient }> {
    provider.script = { claims: { sub: email, email, email_verified: true } };
    const { data } = (await oidcSignIn(app, org.id, idp.id)).body;
    return { id: data.user.id, email, client: app.api.as(data.sessionToken) };
  }
  const own = '/v1/auth/identities';

  it('can be listed and unlinked by the user', async () => {
    const { email } = await activeUser(app, org.id, { email: `person-${++counter}@corp.example` });
    const other = app.api.as((await login(app, org.id, email).expect(200)).body.data.sessionToken);
    const { client } = await signInWithProvider(email);
    expect((await client.get(own).expect(200)).body.data.identities).toEqual([
      {
        identityProviderId: idp.id,
        provider: idp.name,
        issuer: provider.issuer,
        externalId: email,
        linkedAt: expect.any(String),
      },
    ]);
    expect((await client.delete(`${own}/${idp.id}`).expect(401)).body.code).toBe('reauthentication_required');
    const events = await eventsDuring(app, () => client.delete(`${own}/${idp.id}`, { currentPassword: PASSWORD }).expect(204));
    expect(events.map(({ type }) => type)).toEqual(['user.updated', 'security.session_revoked']);
    expect(events[0]!.data.changes).toEqual({ identityProviders: { from: [{ provider: idp.name, externalId: email }], to: [] } });
    await other.get('/v1/auth/me').expect(401);
    expect((await client.get(own).expect(200)).body.data.identities).toEqual([]);
    await client.delete(`${own}/${idp.id}`, { currentPassword: PASSWORD }).expect(404);
  });

  it("can't be unlinked if the user can't sign in without the identity", async () => {
    const { client } = await signInWithProvider();
    expect((await client.delete(`${own}/${idp.id}`, {}).expect(409)).body.code).toBe('sign_in_method_needed');
    expect((await client.get(own).expect(200)).body.data.identities).toHaveLength(1);
  });

  it('can be listed and unlinked by an administrator', async () => {
    const { id, client } = await signInWithProvider();
    const path = `/v1/organizations/${org.id}/users/${id}/identities`;
    const { identities } = (await app.api.platform.get(path).expect(200)).body.data;
    expect(identities).toMatchObject([{ identityProviderId: idp.id }]);
    await app.api.platform.delete(`${path}/${idp.id}`).expect(204);
    await client.get('/v1/auth/me').expect(401);
    await app.api.platform.delete(`${path}/${idp.id}`).expect(404);
  });

  it("can't be unlinked if the user has more permissions than the caller", async () => {
    const { id } = await signInWithProvider();
    const at = `/v1/organizations/${org.id}`;
    await app.api.platform.post(`${at}/users/${id}/roles`, { roleId: 'role_owner' }).expect(201);
    const helpDesk = app.api.as((await made(app, `${at}/api-keys`, { name: 'help desk', scopes: ['users:*'] })).key);
    await helpDesk.get(`${at}/users/${id}/identities`).expect(200);
    expect((await helpDesk.delete(`${at}/users/${id}/identities/${idp.id}`).expect(403)).body.code).toBe('forbidden');
  });
});
