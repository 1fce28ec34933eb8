import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listenHttp } from './local-receiver.js';

export const CLIENT_ID = 'identity-service';
export const CLIENT_SECRET = 'a-client-secret-that-the-provider-gave';

/** The deviations of a provider from the standard. Tests can change the deviations between sign-ins. */
export interface Script {
  /** The claims of the signed-in user: `sub`, `email`, … */
  claims: JWTPayload;
  /** Returns a custom ID token. The provider signs no ID token in this case. */
  idToken?: (claims: JWTPayload) => Promise<string> | string;
  /** The response of the user info endpoint. */
  userInfo?: object;
  /** The published keys instead of the own key. */
  keys?: (own: JWK) => unknown[];
  /** Changes the parameters of the redirect to the service. */
  redirect?: (parameters: URLSearchParams) => void;
  /** Fields that replace fields of the discovery document. */
  metadata?: Record<string, unknown>;
  /** Sends a custom response. Returns false if the provider must respond. */
  handle?: (path: string, response: ServerResponse) => boolean;
}

export interface ScriptedProvider {
  issuer: string;
  script: Script;
  requests: string[];
  /** Signs a token with the published key. */
  sign(claims: JWTPayload, header?: { kid?: string | undefined; typ?: string | undefined }): Promise<string>;
  stop(): Promise<void>;
}

interface Grant {
  nonce: string;
  challenge: string;
  redirectUri: string;
}

/** Starts an identity provider on 127.0.0.1 without passwords. `script` contains deviations from the standard. */
export async function startScriptedProvider(claims: JWTPayload = {}): Promise<ScriptedProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const listener = await listenHttp((request, response) => void serve(request, response));
  const issuer = `http://127.0.0.1:${listener.port}`;
  const provider: ScriptedProvider = {
    issuer,
    script: { claims },
    requests: [],
    sign: (claims, header) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(privateKey),
    stop: () => listener.close(),
  };
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    provider.requests.push(url.pathname);
    if (provider.script.handle?.(url.pathname, response)) return;
    if (url.pathname === '/.well-known/openid-configuration')
      return json(response, 200, { ...discoveryDocument(issuer), ...provider.script.metadata });
    if (url.pathname === '/jwks') return json(response, 200, { keys: provider.script.keys?.(jwk) ?? [jwk] });
    if (url.pathname === '/userinfo' && provider.script.userInfo) return json(response, 200, provider.script.userInfo);
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token')
      return token(new URLSearchParams(await text(request)), request.headers.authorization, response);
    json(response, 404, {});
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    const of = (name: string): string => asked.get(name) ?? '';
    grants.set(code, { nonce: of('nonce'), challenge: of('code_challenge'), redirectUri: of('redirect_uri') });
    const back = new URL(of('redirect_uri'));
    const parameters = new URLSearchParams({ code, state: of('state'), iss: issuer });
    provider.script.redirect?.(parameters);
    back.search = parameters.toString();
    response.writeHead(302, { location: back.href }).end();
  }

  async function token(asked: URLSearchParams, authorization: string | undefined, response: ServerResponse): Promise<void> {
    const code = asked.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    if (credentialsIn(authorization) !== `${CLIENT_ID}:${CLIENT_SECRET}`) return json(response, 401, { error: 'invalid_client' });
    if (grant?.challenge !== verifier || grant.redirectUri !== asked.get('redirect_uri'))
      return json(response, 400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 300, nonce: grant.nonce, ...provider.script.claims };
    const idToken = await (provider.script.idToken ?? provider.sign)(claims);
    json(response, 200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken });
  }

  return provider;
}

const discoveryDocument = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
  authorization_response_iss_parameter_supported: true,
});

/** Returns the form-encoded client ID and client secret (RFC 6749, section 2.3.1). */
const credentialsIn = (authorization = ''): string =>
  decodeURIComponent(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString());

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
