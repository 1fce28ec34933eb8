import { newId } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import type { TestApp } from '../../support/app.js';
import { TestClient } from '../../support/http-client.js';

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

const hashed = (token: string): string => `\\x${hashToken(token).toString('hex')}`;

/** Adds a client of an organization with scopes of this service. */
function addClient(rows: Rows, app: TestApp, organization: string, type: 'web' | 'machine', scopes: readonly string[]): string {
  const id = newId('oauthClient');
  const isMachine = type === 'machine';
  rows.add('oauth_clients', {
    id,
    organization_id: organization,
    name: 'Client',
    type,
    enabled: true,
    redirect_uris: isMachine ? [] : ['https://app.example.com/callback'],
    post_logout_redirect_uris: [],
    origins: [],
    grant_types: isMachine ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    scopes: isMachine ? [] : ['openid'],
    resource_scopes: { [app.config.baseUrl]: scopes },
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
  return id;
}

function addToken(rows: Rows, app: TestApp, kind: 'AccessToken' | 'ClientCredentials', payload: Row): string {
  const credential = (kind === 'AccessToken' ? 'oat_' : 'occ_') + randomToken();
  const exp = Math.floor(rows.now.getTime() / 1_000) + 3_600;
  const stored = { aud: app.config.baseUrl, exp, kind, ...payload };
  rows.add('oauth_artifacts', { id_hash: hashed(credential), kind, payload: stored, expires_at: new Date(exp * 1_000) });
  return credential;
}

export function machineToken(rows: Rows, app: TestApp, organization: string, scopes: readonly string[]) {
  const clientId = addClient(rows, app, organization, 'machine', scopes);
  return { holder: clientId, credential: addToken(rows, app, 'ClientCredentials', { clientId, scope: scopes.join(' ') }) };
}

/** Adds a token of the user of a stored session, who has allowed the scopes. */
export function userToken(rows: Rows, app: TestApp, user: string, organization: string, scopes: readonly string[]): UserToken {
  const clientId = addClient(rows, app, organization, 'web', scopes);
  const id = newId('oauthGrant');
  const resource_scopes = { [app.config.baseUrl]: scopes };
  const at = { organization_id: organization, client_tenant_id: rows.tenant_id, user_tenant_id: rows.tenant_id };
  const times = { created_at: rows.now, updated_at: rows.now };
  rows.add('oauth_grants', { id, ...at, client_id: clientId, user_id: user, scopes: ['openid'], resource_scopes, ...times });
  rows.paths.push(rows.at(organization, `/oauth-grants/${id}`));
  const sessionUid = rows.tables['sessions']!.findLast((row) => row['user_id'] === user)!['id'];
  const origin = { accountId: user, clientId, sessionUid, offline: false, amr: [], authTime: 0 };
  const grantId = [rows.tenant_id, id, randomToken(16)].join('.');
  const credential = addToken(rows, app, 'AccessToken', { grantId, scope: scopes.join(' '), ...origin });
  return { user, organization, credential };
}

/** Returns a token of a machine client that a response shows, for its scopes of this service. */
export async function requestToken(app: TestApp, client: Row): Promise<{ credential: string; scopes: string[] } | undefined> {
  const resources = client['resources'] as { identifier: string; scopes: string[] }[];
  const { identifier, scopes } = resources.find((each) => each.identifier === app.config.baseUrl) ?? {
    identifier: '',
    scopes: [],
  };
  const id = String(client['id']);
  const authorization = `Basic ${Buffer.from(`${id}:${String(client['secret'])}`).toString('base64')}`;
  const fields = { grant_type: 'client_credentials', resource: identifier, scope: scopes.join(' ') };
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await new TestClient(app.url).raw('POST', '/oauth/token', new URLSearchParams(fields).toString(), headers);
  return typeof body?.access_token === 'string' ? { credential: body.access_token, scopes } : undefined;
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
