import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair } from 'jose';
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
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
type Authentication = (typeof AUTHENTICATIONS)[number] | 'none';

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

const checksOfRequest = (): StartedRequest['checks'] => ({
  verifier: oauth.generateRandomCodeVerifier(),
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
});

const addressOf = (query: URLSearchParams): string => `${new URL(server.authorization_endpoint!).pathname}?${query}`;

/** A client that checks all responses strictly. */
class StrictClient {
  private constructor(
    readonly client: oauth.Client,
    readonly authentication: oauth.ClientAuth,
    /** Set for a client that binds its tokens to a key (RFC 9449). */
    readonly dpop?: oauth.DPoPHandle,
  ) {}

  /** The same client with a key. */
  withKey(keyPair: Awaited<ReturnType<typeof oauth.generateKeyPair>>): StrictClient {
    return new StrictClient(this.client, this.authentication, oauth.DPoP(this.client, keyPair));
  }

  get options(): object {
    return { ...OPTIONS, ...(this.dpop ? { DPoP: this.dpop } : {}) };
  }

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
      none: () => oauth.None(),
    };
    return new StrictClient({ client_id: id }, authenticate[authentication]());
  }

  async signIn(browser: PageClient, parameters: Record<string, string>): Promise<oauth.TokenEndpointResponse> {
    return this.finish(this.start(browser, parameters));
  }

  start(browser: PageClient, parameters: Record<string, string>): StartedRequest {
    const checks = checksOfRequest();
    return new StartedRequest(app, browser, addressOf(this.query(checks, parameters)), checks);
  }

  /** Pushes a request (RFC 9126), and returns the address for the browser. */
  async push(parameters: Record<string, string>): Promise<Pick<StartedRequest, 'address' | 'checks'>> {
    const checks = checksOfRequest();
    const query = this.query(checks, parameters);
    const response = await oauth.pushedAuthorizationRequest(...this.as, query, OPTIONS);
    const { request_uri: uri } = await oauth.processPushedAuthorizationResponse(server, this.client, response);
    const { client_id: id } = this.client;
    return { address: addressOf(new URLSearchParams({ client_id: id, request_uri: uri })), checks };
  }

  async finish(request: StartedRequest): Promise<oauth.TokenEndpointResponse> {
    const { verifier, state, nonce } = request.checks;
    const callback = await request.finish();
    // Fails without the parameter "iss", which the metadata announces (RFC 9207).
    const code = oauth.validateAuthResponse(server, this.client, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(...this.as, code, CALLBACK, verifier, this.options);
    const expected = { expectedNonce: nonce, maxAge: 3_600, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, this.client, response, expected);
    await oauth.validateApplicationLevelSignature(server, response, OPTIONS);
    return tokens;
  }

  private query({ verifier, state, nonce }: StartedRequest['checks'], parameters: Record<string, string>): URLSearchParams {
    return new URLSearchParams({
      client_id: this.client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      max_age: '3600',
      state,
      nonce,
      ...parameters,
    });
  }

  async refresh(token: string): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.refreshTokenGrantRequest(...this.as, token, this.options);
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
    const response = await oauth.userInfoRequest(server, this.client, token, this.options);
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

  it('accepts the responses to a device', async () => {
    const grants = { type: 'native', authentication: 'none', grantTypes: [DEVICE_CODE, 'refresh_token'] };
    const { id } = await made(app, at(acme, '/oauth-clients'), { name: 'Television', ...grants });
    const device = { client_id: id };
    const parameters = { scope: 'openid offline_access' };
    const started = await oauth.deviceAuthorizationRequest(server, device, oauth.None(), parameters, OPTIONS);
    const { device_code: code, user_code: userCode } = await oauth.processDeviceAuthorizationResponse(server, device, started);
    const poll = async () => {
      const response = await oauth.deviceCodeGrantRequest(server, device, oauth.None(), code, OPTIONS);
      return oauth.processDeviceCodeResponse(server, device, response);
    };
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
    await browser.post('/v1/oauth/device-requests', { userCode });
    expect((await browser.post('/v1/oauth/device-requests/approval', { userCode, organizationId: acme })).status).toBe(204);
    expect(oauth.getValidatedIdTokenClaims(await poll())).toMatchObject({ sub: ada.id, org_id: acme, amr: ['password'] });
  });

  it('pushes authorization requests, whose addresses work once', async () => {
    const fields = { type: 'web', redirectUris: [CALLBACK], requirePushedAuthorizationRequests: true };
    const web = await StrictClient.create('client_secret_basic', fields);
    const refused = await web.start(browser, { scope: 'openid' }).open();
    expect(refused.searchParams.get('error')).toBe('invalid_request');

    const { address, checks } = await web.push({ scope: 'openid offline_access' });
    const tokens = await web.finish(new StartedRequest(app, browser, address, checks));
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: ada.id });
    expect(await web.isActive(tokens.refresh_token!)).toBe(true);
    const errorAt = async (used: string): Promise<unknown> => {
      const { status, headers } = await browser.get(used);
      return status === 303 ? new URL(headers.get('location')!).searchParams.get('error') : status;
    };
    expect(await errorAt(address)).toBe('invalid_request_uri');
    const other = await StrictClient.create('client_secret_basic', { ...fields, name: 'Other' });
    const { address: stolen } = await web.push({ scope: 'openid' });
    expect(await errorAt(stolen.replace(web.client.client_id, other.client.client_id))).toMatch(/^invalid_request/);
  });

  it('binds the tokens of a client to its key', async () => {
    const own = app.config.baseUrl;
    const fields = {
      redirectUris: [CALLBACK],
      dpopBoundAccessTokens: true,
      resources: [{ identifier: own, scopes: ['members:read'] }],
    };
    const native = await StrictClient.create('none', { type: 'native', ...fields });
    const [key, otherKey] = [await oauth.generateKeyPair('ES256'), await oauth.generateKeyPair('ES256')];
    const bound = native.withKey(key);
    await expect(native.signIn(browser, { scope: 'openid' })).rejects.toMatchObject({ error: 'invalid_grant' });
    const profile = await bound.signIn(browser, { scope: 'openid email' });
    expect(profile.token_type).toBe('dpop');
    expect(await bound.userInfo(profile.access_token, ada.id)).toMatchObject({ email: ada.email });
    for (const wrong of [native, native.withKey(otherKey)])
      await expect(wrong.userInfo(profile.access_token, ada.id)).rejects.toThrow();
    await expect(native.withKey(otherKey).refresh(profile.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });

    const { access_token: token } = await bound.signIn(browser, { scope: 'openid members:read', resource: own });
    const members = new URL(`${own}${at(acme, '/members')}?limit=1`);
    const read = (options: object) => oauth.protectedResourceRequest(token, 'GET', members, undefined, null, options);
    expect((await read(bound.options)).status).toBe(200);
    await expect(read(OPTIONS)).rejects.toThrow();
    const jwt = await StrictClient.create('client_secret_basic', { type: 'web', redirectUris: [CALLBACK] });
    const { access_token: apiToken } = await jwt.withKey(key).signIn(browser, { scope: 'openid invoices:read', resource: API });
    const { cnf } = decodeJwt(apiToken) as { cnf?: object };
    expect(cnf).toEqual({ jkt: await calculateJwkThumbprint(await exportJWK(key.publicKey)) });
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
