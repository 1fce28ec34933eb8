import { newId } from '#platform/common';
import { createHash } from 'node:crypto';
import { hashToken, randomToken } from '#platform/crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { TestApp } from '../../support/app.js';
import { TestClient } from '../../support/http-client.js';
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../../support/oauth-application.js';

type Row = Record<string, unknown>;
/** The rows of a graph. */
interface Rows {
  readonly tenant_id: string;
  readonly now: Date;
  readonly paths: string[];
  readonly tables: Record<string, Row[]>;
  add(table: string, row: Row): void;
  at(organization: string, rest?: string): string;
}

/** An access token of a user for this service, with which an application acts in an organization. */
export interface UserToken {
  readonly user: string;
  readonly organization: string;
  readonly credential: string;
}

/** An API that is not this service. */
const OTHER_API = 'https://orders.example.com';

const hashed = (token: string): string => `\\x${hashToken(token).toString('hex')}`;

const GRANT_TYPES = {
  web: ['authorization_code', 'refresh_token'],
  machine: ['client_credentials'],
  program: [TOKEN_EXCHANGE],
} as const;
type ResourceScopes = Readonly<Record<string, readonly string[]>>;

function addClient(
  rows: Rows,
  organization: string,
  kind: keyof typeof GRANT_TYPES,
  resource_scopes: ResourceScopes,
  audiences: readonly string[] = [],
): { id: string; secret: string } {
  const id = newId('oauthClient');
  const isWeb = kind === 'web';
  rows.add('oauth_clients', {
    id,
    organization_id: organization,
    name: 'Client',
    type: isWeb ? 'web' : 'machine',
    enabled: true,
    redirect_uris: isWeb ? ['https://app.example.com/callback'] : [],
    post_logout_redirect_uris: [],
    origins: [],
    grant_types: GRANT_TYPES[kind],
    scopes: isWeb ? ['openid'] : [],
    resource_scopes,
    audiences,
    authentication: 'client_secret_basic',
    id_token_algorithm: 'ES256',
    visibility: 'descendants',
    consent: 'required',
    created_by_type: 'system',
    created_at: rows.now,
    updated_at: rows.now,
    version: 1,
  });
  rows.add('token_hashes', { kind: 'oauth_client', subject_id: id, hash: hashed(id) });
  rows.paths.push(rows.at(organization, `/oauth-clients/${id}`));
  const secret = randomToken();
  const stored = { id: newId('oauthClientSecret'), client_id: id, hash: hashed(secret), last4: secret.slice(-4) };
  rows.add('oauth_client_secrets', { ...stored, created_at: rows.now });
  return { id, secret };
}

function addToken(rows: Rows, kind: 'AccessToken' | 'ClientCredentials', payload: Row): string {
  const credential = (kind === 'AccessToken' ? 'oat_' : 'occ_') + randomToken();
  const exp = Math.floor(rows.now.getTime() / 1_000) + 3_600;
  const stored = { exp, kind, ...payload };
  rows.add('oauth_artifacts', { id_hash: hashed(credential), kind, payload: stored, expires_at: new Date(exp * 1_000) });
  return credential;
}

export function machineToken(rows: Rows, app: TestApp, organization: string, scopes: readonly string[]) {
  const { baseUrl: aud } = app.config;
  const { id: clientId } = addClient(rows, organization, 'machine', { [aud]: scopes });
  return { holder: clientId, credential: addToken(rows, 'ClientCredentials', { aud, clientId, scope: scopes.join(' ') }) };
}

/** Adds a token of the user of a stored session, who has allowed the scopes. */
export function userToken(
  rows: Rows,
  app: TestApp,
  user: string,
  organization: string,
  scopes: readonly string[],
  { aud = app.config.baseUrl, jkt }: { readonly aud?: string; readonly jkt?: string } = {},
): UserToken {
  const { id: clientId } = addClient(rows, organization, 'web', { [aud]: scopes });
  const id = newId('oauthGrant');
  const at = { organization_id: organization, client_tenant_id: rows.tenant_id, user_tenant_id: rows.tenant_id };
  const allowed = { scopes: ['openid'], resource_scopes: { [aud]: scopes } };
  const times = { created_at: rows.now, updated_at: rows.now };
  rows.add('oauth_grants', { id, ...at, client_id: clientId, user_id: user, ...allowed, ...times });
  rows.paths.push(rows.at(organization, `/oauth-grants/${id}`));
  const sessionUid = rows.tables['sessions']!.findLast((row) => row['user_id'] === user)!['id'];
  const origin = { accountId: user, clientId, sessionUid, offline: false, amr: [], authTime: 0 };
  const grantId = [rows.tenant_id, id, randomToken(16)].join('.');
  const credential = addToken(rows, 'AccessToken', { aud, grantId, scope: scopes.join(' '), ...origin, ...(jkt && { jkt }) });
  return { user, organization, credential };
}

/** Exchanges a token of a user by a program. Returns the token for this service, if there is one. */
export type Exchange = () => Promise<{ readonly credential: string; readonly scopes: readonly string[] } | undefined>;

/** Adds a token of a user for another API, and the program behind it. */
export function passedOnToken(
  rows: Rows,
  app: TestApp,
  user: string,
  organization: string,
  scopes: { readonly user: readonly string[]; readonly program: readonly string[] },
): { credential: string; exchange: Exchange } {
  const { credential } = userToken(rows, app, user, organization, scopes.user, { aud: OTHER_API });
  const { baseUrl } = app.config;
  const program = addClient(rows, organization, 'program', { [baseUrl]: scopes.program }, [OTHER_API]);
  const fields = {
    grant_type: TOKEN_EXCHANGE,
    subject_token: credential,
    subject_token_type: ACCESS_TOKEN_TYPE,
    resource: baseUrl,
  };
  return { credential, exchange: () => requestWith(app, program, fields) };
}

/** Asks for an access token with the secret of a client. */
async function requestWith(
  app: TestApp,
  { id, secret }: { readonly id: string; readonly secret: string },
  fields: Readonly<Record<string, string>>,
): ReturnType<Exchange> {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await new TestClient(app.url).raw('POST', '/oauth/token', new URLSearchParams(fields).toString(), headers);
  if (typeof body?.access_token !== 'string') return undefined;
  return { credential: body.access_token, scopes: String(body.scope).split(' ') };
}

const KEYS = await generateKeyPair('ES256');
const JWK = await exportJWK(KEYS.publicKey);
/** The thumbprint of the key of conspirators. */
export const THUMBPRINT = await calculateJwkThumbprint(JWK);

/** Returns the headers of a request with a token that is bound to the key (DPoP). */
export async function provenHeaders(app: TestApp, token: string, htm: string, path: string): Promise<Record<string, string>> {
  const ath = createHash('sha256').update(token).digest('base64url');
  const claims = { htm, htu: app.config.baseUrl + path, ath, jti: randomToken(16), iat: Math.floor(Date.now() / 1_000) };
  const proof = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: JWK });
  return { authorization: `DPoP ${token}`, dpop: await proof.sign(KEYS.privateKey) };
}

/** Returns a token of a machine client that a response shows, for its scopes of this service. */
export async function requestToken(app: TestApp, client: Row): Promise<{ credential: string; scopes: string[] } | undefined> {
  const resources = client['resources'] as { identifier: string; scopes: string[] }[];
  const { identifier, scopes } = resources.find((each) => each.identifier === app.config.baseUrl) ?? {
    identifier: '',
    scopes: [],
  };
  const fields = { grant_type: 'client_credentials', resource: identifier, scope: scopes.join(' ') };
  const token = await requestWith(app, { id: String(client['id']), secret: String(client['secret']) }, fields);
  return token && { ...token, scopes };
}

/** All users are of one tenant, by which Citus joins. */
const LOST = `SELECT g.id, g.user_id AS user, u.status IS DISTINCT FROM 'active' AS inactive FROM oauth_grants g
  LEFT JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
  LEFT JOIN memberships m ON m.tenant_id = g.tenant_id AND m.organization_id = g.organization_id AND m.user_id = g.user_id
  WHERE g.tenant_id = $1 AND g.revoked_at IS NULL AND (m.user_id IS NULL OR u.status IS DISTINCT FROM 'active')`;

/** Returns the grants that did not end although their user left the organization, and the tokens that work although the user can't sign in. */
export async function grantsThatOutlive(app: TestApp, tenantId: string, tokens: readonly UserToken[]): Promise<string[]> {
  const lost = await app.database.query<{ id: string; user: string; inactive: boolean }>(LOST, [tenantId]);
  const found = lost.filter(({ inactive }) => !inactive).map(({ id, user }) => `${id} did not end although ${user} left`);
  for (const { user, organization, credential } of tokens) {
    if (!lost.some((each) => each.user === user)) continue;
    const { status } = await new TestClient(app.url, credential).get(`/v1/organizations/${organization}/oauth-grants`);
    if (status !== 401) found.push(`the token of ${user} still works: ${status}`);
  }
  return found;
}

/** Adds approved break-glass access. */
export function borrow(rows: Rows, user: string, organization: string): { organization: string; permissions: string[] } {
  const id = newId('breakGlassRequest');
  const requester = { requester_tenant_id: rows.tenant_id, requester_id: user, requester_email: 'x', reason: 'x' };
  const ends_at = new Date(rows.now.getTime() + 3_600_000);
  const times = { duration_seconds: 3_600, expires_at: ends_at, ends_at, created_at: rows.now, decided_at: rows.now };
  rows.add('break_glass_requests', { id, organization_id: organization, status: 'approved', ...requester, ...times });
  rows.paths.push(rows.at(organization, `/break-glass/${id}`));
  return { organization, permissions: ['*'] };
}
