import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const SECRET = 'a-client-secret-that-must-not-show';
const DISCOVERY = '/.well-known/openid-configuration';

describe('an identity provider', () => {
  const app = testApp();
  let provider: ScriptedProvider;
  let org: string;
  let path: string;
  beforeAll(async () => {
    provider = await startScriptedProvider();
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    provider.script = { claims: {} };
    org = (await newOrganization(app)).id;
    path = at(org, '/identity-providers');
  });

  it('never shows the client secret, not even in the events of changes', async () => {
    const body = { name: 'Login', issuer: 'https://login.example.com', clientId: 'abc', clientSecret: SECRET, scopes: ['email'] };
    const created = await made(app, path, body);
    expect(created).toMatchObject({ enabled: true, hasClientSecret: true, scopes: ['openid', 'email'] });
    const events = await eventsDuring(app, async () => {
      const changes = { enabled: false, clientSecret: null };
      const changed = (await app.api.platform.patch(`${path}/${created.id}`, changes).expect(200)).body.data;
      expect(changed).toMatchObject({ enabled: false, hasClientSecret: false, issuer: body.issuer });
    });
    expect(events.map(({ data }) => data.changes)).toEqual([
      { enabled: { from: true, to: false }, clientSecret: { from: '(hidden)', to: '(hidden)' } },
    ]);
    const shown = await read(app, at(org));
    expect(shown.identityProviders).toEqual([{ id: created.id, name: 'Login', type: 'oidc', enabled: false }]);
    const stored = await app.database.query('SELECT payload FROM events WHERE organization_id = $1', [org]);
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
    const rejected = await app.api.platform.post(path, { issuer, clientId: 'a', name: 'x' }).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/issuer' }]);
  });

  /** Only administrators get the reason why a provider can't be used. */
  describe('the check', () => {
    const check = async (issuer = provider.issuer, fields: TestBody = {}): Promise<TestBody> => {
      const { id } = await identityProvider(app, org, issuer, fields);
      return (await app.api.platform.post(`${path}/${id}/check`).expect(200)).body.data;
    };

    it('accepts a correct provider, even if disabled', async () => {
      const usable = { usable: true, redirectUri: `${app.config.baseUrl}/v1/auth/oidc/callback` };
      expect(await check(provider.issuer, { enabled: false })).toEqual(usable);
    });

    const invalid = 'The response is not an OpenID Connect discovery document.';
    it.each<[string, string, string, (script: ScriptedProvider['script']) => unknown]>([
      [
        'the issuer of the discovery document',
        'other_issuer',
        'The provider reports the issuer "https://login.example.com/". Enter the issuer exactly like this.',
        (script) => (script.metadata = { issuer: 'https://login.example.com/' }),
      ],
      [
        'an issuer that differs by the final slash',
        'other_issuer',
        '/". Enter the issuer exactly like this.',
        (script) => (script.metadata = { issuer: `${provider.issuer}/` }),
      ],
      [
        'a field of the discovery document without a valid value',
        'unexpected_answer',
        'The field authorization_endpoint of the discovery document must be an https URL without user name, password and fragment.',
        (script) => (script.metadata = { authorization_endpoint: 'javascript:alert(1)' }),
      ],
      ...['<p>Sign in</p>', '{"issuer":', '{"secret":"of somebody else"}'].map(
        (body): [string, string, string, (script: ScriptedProvider['script']) => unknown] => [
          `the response ${body}`,
          'unexpected_answer',
          invalid,
          (script) =>
            (script.handle = (requested, response) => {
              if (requested !== DISCOVERY) return false;
              response.writeHead(200, { 'content-type': 'application/json' }).end(body);
              return true;
            }),
        ],
      ),
    ])('reports %s', async (_, code, message, misbehave) => {
      misbehave(provider.script);
      expect(await check()).toMatchObject({ usable: false, problem: { code, message: expect.stringContaining(message) } });
    });

    it("reports an error response and a provider that can't be reached", async () => {
      expect((await check(`${provider.issuer}/nowhere`)).problem).toEqual({
        code: 'unexpected_answer',
        message: 'The request for the discovery document returned status 404 instead of 200.',
      });
      const stopped = await startScriptedProvider();
      await stopped.stop();
      expect(await check(stopped.issuer, { name: 'Stopped' })).toMatchObject({ problem: { code: 'unreachable' } });
    });
  });

  describe('a linked identity', () => {
    const own = '/v1/auth/identities';
    let idp: TestBody;
    let counter = 0;
    beforeEach(async () => {
      idp = await identityProvider(app, org, provider.issuer, { trustedDomains: ['corp.example'] });
    });

    /** Signs a person in with the provider. */
    async function signIn(email = `person-${++counter}@corp.example`): Promise<{ id: string; client: TestClient }> {
      provider.script = { claims: { sub: email, email, email_verified: true } };
      const { data } = (await oidcSignIn(app, org, idp.id)).body;
      return { id: data.user.id, client: app.api.as(data.sessionToken) };
    }

    it('can be listed and unlinked by the user', async () => {
      const { email } = await activeUser(app, org, { email: `person-${++counter}@corp.example` });
      const other = app.api.as((await login(app, org, email).expect(200)).body.data.sessionToken);
      const { client } = await signIn(email);
      const identities = async () => (await client.get(own).expect(200)).body.data.identities;
      const linked = { identityProviderId: idp.id, provider: idp.name, issuer: provider.issuer, externalId: email };
      expect(await identities()).toEqual([{ ...linked, linkedAt: expect.any(String) }]);
      expect((await client.delete(`${own}/${idp.id}`).expect(401)).body.code).toBe('reauthentication_required');
      const events = await eventsDuring(app, () => client.delete(`${own}/${idp.id}`, { currentPassword: PASSWORD }).expect(204));
      expect(events.map(({ type }) => type)).toEqual(['user.updated', 'security.session_revoked']);
      const from = [{ provider: idp.name, externalId: email }];
      expect(events[0]!.data.changes).toEqual({ identityProviders: { from, to: [] } });
      await other.get('/v1/auth/me').expect(401);
      expect(await identities()).toEqual([]);
    });

    it("can't be unlinked if the user can't sign in without the identity", async () => {
      const { client } = await signIn();
      expect((await client.delete(`${own}/${idp.id}`, {}).expect(409)).body.code).toBe('sign_in_method_needed');
      expect((await client.get(own).expect(200)).body.data.identities).toHaveLength(1);
    });

    it('can be listed and unlinked by an administrator with all permissions of the user', async () => {
      const { id, client } = await signIn();
      const identities = at(org, `/users/${id}/identities`);
      expect((await read(app, identities)).identities).toMatchObject([{ identityProviderId: idp.id }]);
      await app.api.platform.post(at(org, `/users/${id}/roles`), { roleId: 'role_owner' }).expect(201);
      const helpDesk = await keyClient(app, org, ['users:*']);
      expect((await helpDesk.delete(`${identities}/${idp.id}`).expect(403)).body.code).toBe('forbidden');
      await app.api.platform.delete(`${identities}/${idp.id}`).expect(204);
      await client.get('/v1/auth/me').expect(401);
      await app.api.platform.delete(`${identities}/${idp.id}`).expect(404);
    });
  });
});
