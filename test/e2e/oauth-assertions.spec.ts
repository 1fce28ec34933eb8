import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as openid from 'openid-client';
import type { TestApp } from '../support/app.js';
import { CALLBACK, OAuthApplication, refusal, startIssuer, type Tokens } from '../support/oauth-application.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { signedIn } from '../support/signed-in.js';

// Access that an identity provider of the organization decides about (RFC 7523, ID-JAG).
const API = 'https://mcp.example.com';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_JAG = 'oauth-id-jag+jwt';

let app: TestApp;
let idp: ScriptedProvider;
let acme: string;
let agent: OAuthApplication;
let other: OAuthApplication;
let providerId: string;
let userId: string;

const create = async (path: string, body: object) => (await app.api.platform.post(path, body).expect(201)).body.data;
const access = () => ({
  redirectUris: [CALLBACK],
  grantTypes: ['authorization_code', JWT_BEARER],
  resources: [API, app.config.baseUrl].map((identifier) => ({ identifier, scopes: ['members:read'] })),
});
const path = () => `/v1/organizations/${acme}`;
const patchProvider = (fields: object) =>
  app.api.platform.patch(`${path()}/identity-providers/${providerId}`, fields).expect(200);

beforeAll(async () => {
  [app, idp] = await Promise.all([startIssuer(), startScriptedProvider()]);
  acme = (await create('/v1/organizations', { name: 'Acme' })).id;
  await create(`${path()}/oauth-resources`, { identifier: API, name: 'MCP', scopes: [{ name: 'members:read' }] });
  [agent, other] = [await OAuthApplication.create(app, acme, access()), await OAuthApplication.create(app, acme, access())];
  const fields = { trustedDomains: ['corp.example'], allowedClients: [agent.clientId] };
  providerId = (await identityProvider(app, acme, idp.issuer, fields)).id;
  idp.script = { claims: { sub: 'ada', email: 'ada@corp.example', email_verified: true } };
  userId = (await oidcSignIn(app, acme, providerId)).body.data.user.id;
  await create(`${path()}/users/${userId}/roles`, { roleId: 'role_viewer' });
});

afterAll(async () => {
  await idp?.stop();
  await app?.close();
});

const claimsOf = (changed: JWTPayload = {}): JWTPayload => {
  const now = Math.floor(Date.now() / 1_000);
  const { baseUrl: aud } = app.config;
  return { iss: idp.issuer, sub: 'ada', aud, client_id: agent.clientId, jti: randomUUID(), iat: now, exp: now + 60, ...changed };
};
const signed = (changed?: JWTPayload, typ: string | undefined = ID_JAG) => idp.sign(claimsOf(changed), { typ });
const grant = (assertion: string, parameters: Record<string, string> = {}, client = agent): Promise<Tokens> =>
  openid.genericGrantRequest(client.configuration, JWT_BEARER, { assertion, resource: app.config.baseUrl, ...parameters });
const members = (tokens: Tokens) => app.api.as(tokens.access_token).get(`${path()}/members`);

describe('an assertion of an identity provider', () => {
  it('gives the allowed client access as the linked user, without a page and without a refresh token', async () => {
    const tokens = await grant(await signed({ scope: 'members:read users:write' }));
    expect(tokens).toMatchObject({ scope: 'members:read', expires_in: 300 });
    expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
    await members(tokens).expect(200);
    const limited = await openid.genericGrantRequest(agent.configuration, JWT_BEARER, {
      assertion: await signed({ resource: API }),
    });
    expect(decodeJwt(limited.access_token)).toMatchObject({ sub: userId, aud: API, org_id: acme, permissions: ['members:read'] });
    await members(await grant(await signed({ client_id: undefined }, 'JWT'))).expect(200);
    const { data } = (await app.api.platform.get(`${path()}/oauth-grants?userId=${userId}`).expect(200)).body;
    expect(data).toHaveLength(1);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['that was used before', 'invalid_grant', async () => grantTwice(await signed())],
    ['for another client', 'invalid_grant', async () => grant(await signed({ client_id: other.clientId }))],
    [
      'for a client that the provider does not allow',
      'invalid_grant',
      async () => grant(await signed({ client_id: other.clientId }), {}, other),
    ],
    ['without a client', 'invalid_grant', async () => grant(await signed({ client_id: undefined }))],
    ['that is bound to a key, without a proof', 'invalid_grant', async () => grant(await signed({ cnf: { jkt: 'x' } }))],
    ['for another server', 'invalid_grant', async () => grant(await signed({ aud: 'https://evil.example' }))],
    [
      'for several servers',
      'invalid_grant',
      async () => grant(await signed({ aud: [app.config.baseUrl, 'https://evil.example'] })),
    ],
    [
      'for the token endpoint instead of the server',
      'invalid_grant',
      async () => grant(await signed({ aud: `${app.config.baseUrl}/oauth/token` })),
    ],
    ['of another issuer', 'invalid_grant', async () => grant(await signed({ iss: 'https://evil.example' }))],
    ['that has expired', 'invalid_grant', async () => grant(await signed({ exp: 1 }))],
    ['that never expires', 'invalid_grant', async () => grant(await signed({ exp: 4e9 }))],
    ['without an id', 'invalid_grant', async () => grant(await signed({ jti: undefined }))],
    ['from the future', 'invalid_grant', async () => grant(await signed({ iat: 4e9 }))],
    ['about an unknown subject', 'invalid_grant', async () => grant(await signed({ sub: 'eve' }))],
    ['of another type', 'invalid_grant', async () => grant(await signed({}, 'at+jwt'))],
    ['that another key signed', 'invalid_grant', async () => grant(await forged())],
    ['that is no JWT', 'invalid_grant', () => grant('x')],
    ['for another API', 'invalid_target', async () => grant(await signed({ resource: API }))],
    [
      'for no API',
      'invalid_target',
      async () => openid.genericGrantRequest(agent.configuration, JWT_BEARER, { assertion: await signed() }),
    ],
    ['with other scopes', 'invalid_scope', async () => grant(await signed({ scope: 'users:write' }))],
    ['for more scopes', 'invalid_scope', async () => grant(await signed(), { scope: 'users:write' })],
    [
      'for an organization out of reach',
      'invalid_grant',
      async () => grant(await signed(), { organization: (await create('/v1/organizations', { name: 'Else' })).id }),
    ],
  ])('%s is refused with %s', async (_, error, request) => {
    expect(await refusal(request())).toBe(error);
  });

  const grantTwice = async (assertion: string) => {
    await grant(assertion);
    return grant(assertion);
  };
  const forged = async () =>
    new SignJWT(claimsOf())
      .setProtectedHeader({ alg: 'ES256', typ: ID_JAG, kid: 'first' })
      .sign((await generateKeyPair('ES256')).privateKey);

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['the provider is disabled', () => patchProvider({ enabled: false }), () => patchProvider({ enabled: true })],
    [
      'the user is suspended',
      () => app.api.platform.post(`${path()}/users/${userId}/suspend`, { reason: 'Left' }).expect(200),
      () => app.api.platform.post(`${path()}/users/${userId}/activate`).expect(200),
    ],
    [
      'the organization requires MFA, which the provider did not assert',
      () => app.api.platform.patch(path(), { settings: { requireMfa: true } }).expect(200),
      () => app.api.platform.patch(path(), { settings: { requireMfa: false } }).expect(200),
    ],
  ])('gives and keeps no access when %s', async (_, end, restore) => {
    const tokens = await grant(await signed());
    await members(tokens).expect(200);
    await end();
    expect([(await members(tokens)).status, await refusal(grant(await signed()))]).toEqual([401, 'invalid_grant']);
    await restore();
    await members(await grant(await signed())).expect(200);
  });

  it('gives no access any more when the provider no longer allows the client', async () => {
    await patchProvider({ allowedClients: [] });
    expect(await refusal(grant(await signed()))).toBe('invalid_grant');
    await patchProvider({ allowedClients: [agent.clientId] });
  });

  it('is for clients that only callers with all permissions allow', async () => {
    const admin = await signedIn(app, acme, { roles: ['admin'] });
    const provider = `${path()}/identity-providers/${providerId}`;
    await admin.client.patch(provider, { allowedClients: [agent.clientId, other.clientId] }).expect(403);
    await admin.client.patch(provider, { allowedClients: [agent.clientId] }).expect(200);
  });
});
