import type { Settings } from '#platform/config';
import * as openid from 'openid-client';
import { type TestApp, startApp } from './app.js';
import { findFreePort } from './free-port.js';
import { PageClient } from './page-client.js';
import type { SignedIn } from './signed-in.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
export const CALLBACK = 'https://app.example.com/callback';

/** Starts the service with a base URL that `openid-client` can reach. */
export async function startIssuer(overrides: Partial<Settings> = {}): Promise<TestApp> {
  const port = await findFreePort();
  return startApp({ port, baseUrl: `http://127.0.0.1:${port}`, ...overrides });
}

/** An application that signs its users in with `openid-client`, and the browser of a user. */
export class OAuthApplication {
  private constructor(
    private readonly app: TestApp,
    readonly configuration: openid.Configuration,
    readonly clientId: string,
  ) {}

  /** Creates a program that exchanges tokens for the APIs of `audiences`. */
  static service(
    app: TestApp,
    organization: string | undefined,
    fields: {
      readonly audiences: readonly string[];
      readonly resources: readonly object[];
      readonly dpopBoundAccessTokens?: true;
    },
  ): Promise<OAuthApplication> {
    const machine = { name: 'Service', type: 'machine', redirectUris: [], grantTypes: [TOKEN_EXCHANGE] };
    return OAuthApplication.create(app, organization, { ...machine, ...fields });
  }

  /** Creates the client through the API. `organization` is undefined for a client of the platform. */
  static async create(app: TestApp, organization: string | undefined, fields: object = {}): Promise<OAuthApplication> {
    const path = organization === undefined ? '/v1/oauth-clients' : `/v1/organizations/${organization}/oauth-clients`;
    const body = { name: 'Billing', type: 'web', redirectUris: [CALLBACK], ...fields };
    const { id, secret } = (await app.api.platform.post(path, body).expect(201)).body.data;
    return OAuthApplication.with(app, id, secret);
  }

  static async with(app: TestApp, id: string, secret: string | null): Promise<OAuthApplication> {
    const authentication = secret === null ? openid.None() : openid.ClientSecretBasic(secret);
    const configuration = await openid.discovery(new URL(app.config.baseUrl), id, undefined, authentication, {
      execute: [openid.allowInsecureRequests],
    });
    return new OAuthApplication(app, configuration, id);
  }

  /** Starts an authorization request in the browser of a user. */
  async start(user: SignedIn | null, parameters: Record<string, string> = {}): Promise<StartedRequest> {
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const nonce = openid.randomNonce();
    const address = openid.buildAuthorizationUrl(this.configuration, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email organization',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...parameters,
    });
    const browser = new PageClient(this.app);
    if (user) browser.cookies = `${this.app.config.serviceName}-session=${user.token}`;
    return new StartedRequest(this.app, browser, address.pathname + address.search, { verifier, state, nonce });
  }

  /** Signs a user in, who has already allowed the access or allows it now. */
  async signIn(user: SignedIn, parameters: Record<string, string> = {}): Promise<Tokens> {
    const request = await this.start(user, parameters);
    return this.exchange(await request.finish(), request.checks);
  }

  /** Starts a sign-in on a device. Returns the use of the device code, after the user has allowed the request. */
  async startOnDevice(
    { client }: Pick<SignedIn, 'client'>,
    organizationId: string,
    parameters: Record<string, string>,
  ): Promise<() => Promise<Tokens>> {
    const { user_code: userCode, device_code } = await openid.initiateDeviceAuthorization(this.configuration, parameters);
    await client.post('/v1/oauth/device-requests', { userCode }).expect(200);
    await client.post('/v1/oauth/device-requests/approval', { userCode, organizationId }).expect(204);
    return () => openid.genericGrantRequest(this.configuration, DEVICE_CODE, { device_code });
  }

  exchange(
    callback: URL,
    { verifier, state, nonce }: StartedRequest['checks'],
    parameters: Record<string, string> = {},
  ): Promise<Tokens> {
    return openid.authorizationCodeGrant(
      this.configuration,
      callback,
      { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      parameters,
    );
  }

  refresh(token: string | undefined, parameters: Record<string, string> = {}): Promise<Tokens> {
    return openid.refreshTokenGrant(this.configuration, token ?? '', parameters);
  }

  /** Exchanges an access token for one with which it calls another API (RFC 8693). */
  exchangeToken(token: string, parameters: Record<string, string>): Promise<Tokens> {
    return openid.genericGrantRequest(this.configuration, TOKEN_EXCHANGE, {
      subject_token: token,
      subject_token_type: ACCESS_TOKEN_TYPE,
      ...parameters,
    });
  }

  clientCredentials(parameters: Record<string, string>): Promise<Tokens> {
    return openid.clientCredentialsGrant(this.configuration, parameters);
  }

  revoke(token: string): Promise<void> {
    return openid.tokenRevocation(this.configuration, token);
  }

  introspect(token: string): Promise<openid.IntrospectionResponse> {
    return openid.tokenIntrospection(this.configuration, token);
  }

  userInfo({ access_token: token }: Tokens, subject: string): Promise<openid.UserInfoResponse> {
    return openid.fetchUserInfo(this.configuration, token, subject);
  }
}

export type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers;

/** Returns the OAuth error with which a request failed, or undefined if it succeeded. */
export const refusal = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (failure: { error?: string; code?: string; cause?: { parameters?: { error?: string } }[] }) =>
      failure.error ?? failure.cause?.[0]?.parameters?.error ?? failure.code,
  );

/** An authorization request in a browser. */
export class StartedRequest {
  constructor(
    private readonly app: TestApp,
    readonly browser: PageClient,
    readonly address: string,
    readonly checks: { readonly verifier: string; readonly state: string; readonly nonce: string },
  ) {}

  /** Returns the address of the page or of the application to which the request leads, after all redirects of the endpoints. */
  async open(address = this.address): Promise<URL> {
    for (let redirects = 0, next = address; redirects < 10; redirects += 1) {
      const response = await this.browser.get(next);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`GET ${next} returned ${response.status}: ${String(response.body)}`);
      const url = new URL(location, this.app.config.baseUrl);
      if (url.origin !== this.app.config.baseUrl || !url.pathname.startsWith('/oauth/')) return url;
      next = url.pathname + url.search;
    }
    throw new Error('Too many redirects.');
  }

  /** Returns the callback of the application. Chooses an organization and allows the access, if the pages ask. */
  async finish(organizationId?: string, address = this.address): Promise<URL> {
    for (let page = await this.open(address), questions = 0; questions < 5; questions += 1) {
      if (page.pathname !== '/account/authorize') return page;
      const path = `/v1/oauth/interactions/${page.searchParams.get('interaction')}`;
      const { body } = await this.browser.get(path);
      const { prompt, organizations } = body.data;
      const { status, body: answer } =
        prompt === 'consent'
          ? await this.browser.post(`${path}/consent`)
          : await this.browser.post(`${path}/organization`, { organizationId: organizationId ?? organizations[0].id });
      if (status !== 200) throw new Error(`The answer to "${prompt}" returned ${status}: ${JSON.stringify(answer)}`);
      page = await this.open(new URL(answer.data.redirectTo).pathname);
    }
    throw new Error('Too many questions.');
  }
}
