import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import type { TestApp } from '../support/app.js';
import type { TestResponse } from '../support/http-client.js';
import { CALLBACK, StartedRequest, startIssuer } from '../support/oauth-application.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { PageClient } from '../support/page-client.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { printVersion } from './programs.js';

const API = 'https://api.example.com';
const SIGNED_OUT = 'https://app.example.com/signed-out';
const OPTIONS = { [oauth.allowInsecureRequests]: true };
const AUTHENTICATIONS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
type Authentication = (typeof AUTHENTICATIONS)[number];

let app: TestApp;
let server: oauth.AuthorizationServer;
let acme: string;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  const { version } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('oauth4webapi/package.json')), 'utf8'));
  printVersion(`oauth4webapi ${version}`);
  app = await startIssuer();
  acme = (await newOrganization(app, { name: 'Acme' })).id;
  const api = { identifier: API, name: 'Invoices', scopes: [{ name: 'invoices:read' }] };
  await made(app, at(acme, '/oauth-resources'), api);
  const issuer = new URL(app.config.baseUrl);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, OPTIONS));
  keys = await generateKeyPair('ES256');
});
afterAll(() => app?.close());

/** A client that checks all responses strictly. */
class StrictClient {
  private constructor(
    readonly client: oauth.Client,
    readonly authentication: oauth.ClientAuth,
  ) {}

  static async create(authentication: Authentication, fields: object): Promise<StrictClient> {
    const jwks = authentication === 'private_key_jwt' ? { keys: [await exportJWK(keys.publicKey)] } : undefined;
    const resources = [{ identifier: API, scopes: ['invoices:read'] }];
    const { id, secret } = await made(app, at(acme, '/oauth-clients'), {
      name: 'Billing',
      authentication,
      jwks,
      resources,
      ...fields,
    });
    const authenticate = {
      client_secret_basic: () => oauth.ClientSecretBasic(secret),
      client_secret_post: () => oauth.ClientSecretPost(secret),
      private_key_jwt: () => oauth.PrivateKeyJwt(keys.privateKey),
    };
    return new StrictClient({ client_id: id }, authenticate[authentication]());
  }

  async signIn(browser: PageClient, parameters: Record<string, string>): Promise<oauth.TokenEndpointResponse> {
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const query = new URLSearchParams({
      client_id: this.client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: '3600',
      state,
      nonce,
      ...parameters,
    });
    const address = `${new URL(server.authorization_endpoint!).pathname}?${query}`;
    const callback = await new StartedRequest(app, browser, address, { verifier, state, nonce }).finish();
    // Fails without the parameter "iss", which the metadata announces (RFC 9207).
    const code = oauth.validateAuthResponse(server, this.client, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(...this.as, code, CALLBACK, verifier, OPTIONS);
    const expected = { expectedNonce: nonce, maxAge: 3_600, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, this.client, response, expected);
    await oauth.validateApplicationLevelSignature(server, response, OPTIONS);
    return tokens;
  }

  async refresh(token: string): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.refreshTokenGrantRequest(...this.as, token, OPTIONS);
    return oauth.processRefreshTokenResponse(server, this.client, response);
  }

  async machineToken(): Promise<string> {
    const parameters = { resource: API, scope: 'invoices:read' };
    const response = await oauth.clientCredentialsGrantRequest(...this.as, parameters, OPTIONS);
    return (await oauth.processClientCredentialsResponse(server, this.client, response)).access_token;
  }

  async isActive(token: string): Promise<boolean> {
    const response = await oauth.introspectionRequest(...this.as, token, OPTIONS);
    return (await oauth.processIntrospectionResponse(server, this.client, response)).active;
  }

  async revoke(token: string): Promise<void> {
    await oauth.processRevocationResponse(await oauth.revocationRequest(...this.as, token, OPTIONS));
  }

  async userInfo(token: string, subject: string): Promise<oauth.UserInfoResponse> {
    const response = await oauth.userInfoRequest(server, this.client, token, OPTIONS);
    return oauth.processUserInfoResponse(server, this.client, subject, response);
  }

  private get as(): [oauth.AuthorizationServer, oauth.Client, oauth.ClientAuth] {
    return [server, this.client, this.authentication];
  }
}

/** Checks an access token as an API does (RFC 9068). */
const apiClaims = (token: string): Promise<oauth.JWTAccessTokenClaims> =>
  oauth.validateJwtAccessToken(server, new Request(API, { headers: { authorization: `Bearer ${token}` } }), API, OPTIONS);

describe('oauth4webapi', () => {
  let ada: SignedIn;
  let browser: PageClient;
  beforeAll(async () => {
    ada = await signedIn(app, acme, { roles: ['admin'] });
    browser = new PageClient(app);
    browser.cookies = `${app.config.serviceName}-session=${ada.token}`;
  });

  const logout = (parameters: Record<string, string>): Promise<TestResponse> =>
    browser.get(`${new URL(server.end_session_endpoint!).pathname}?${new URLSearchParams(parameters)}`);

  it.each(AUTHENTICATIONS)('accepts all responses to a client with %s', async (authentication) => {
    const web = await StrictClient.create(authentication, { type: 'web', redirectUris: [CALLBACK] });
    const profile = await web.signIn(browser, { scope: 'openid email organization' });
    expect(oauth.getValidatedIdTokenClaims(profile)).toMatchObject({ sub: ada.id, org_id: acme, email: ada.email });
    expect(await web.userInfo(profile.access_token, ada.id)).toMatchObject({ org_name: 'Acme', email: ada.email });

    const tokens = await web.signIn(browser, { scope: 'openid invoices:read', resource: API });
    const refreshed = await web.refresh(tokens.refresh_token!);
    for (const token of [tokens.access_token, refreshed.access_token])
      expect(await apiClaims(token)).toMatchObject({ sub: ada.id, client_id: web.client.client_id, scope: 'invoices:read' });
    const last = refreshed.refresh_token!;
    expect(await web.isActive(last)).toBe(true);
    await web.revoke(last);
    expect(await web.isActive(last)).toBe(false);
    await expect(web.refresh(last)).rejects.toMatchObject({ error: 'invalid_grant' });

    const machine = await StrictClient.create(authentication, { type: 'machine' });
    const { client_id: id } = machine.client;
    expect(await apiClaims(await machine.machineToken())).toMatchObject({ sub: id, client_id: id, scope: 'invoices:read' });
  });

  it('signs the user out', async () => {
    const uris = { redirectUris: [CALLBACK], postLogoutRedirectUris: [SIGNED_OUT] };
    const web = await StrictClient.create('client_secret_basic', { type: 'web', ...uris });
    const { id_token: hint } = await web.signIn(browser, { scope: 'openid' });
    const address = { id_token_hint: hint!, post_logout_redirect_uri: SIGNED_OUT, state: 'a state' };
    const { headers } = await logout(address);
    expect(headers.get('location')).toBe(`${SIGNED_OUT}?state=a+state`);
    await ada.client.get('/v1/auth/me').expect(401);
  });
});
