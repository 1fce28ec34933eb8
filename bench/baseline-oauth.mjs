import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import * as sql from './baseline-oauth-statements.mjs';

/* The token endpoint of the baseline: the same statements and an ES256 signature, without the checks and options of the protocol. */

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ISSUER = 'http://localhost:3000';
const ACCESS_SECONDS = 3_600;
const REFRESH_SECONDS = 30 * 86_400;
const INVALID = { status: 400, body: { error: 'invalid_grant' } };

const digest = (text) => hash('sha256', text, 'buffer');
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1_000);

function jwt(claims, typ) {
  const iat = now();
  const text = `${encoded({ alg: 'ES256', typ, kid: 'baseline' })}.${encoded({ iss: ISSUER, iat, ...claims })}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** Answers a token request. `pool` has the connections. */
export async function exchangeToken(pool, form) {
  const ask = async (statement, values) => (await pool.query({ ...statement, values })).rows;
  const [client] = await ask(sql.FIND_CLIENT, [digest(form.get('client_id'))]);
  if (!client?.secrets.some((secret) => secret.equals(digest(form.get('client_secret'))))) return { ...INVALID, status: 401 };
  return form.get('grant_type') === 'refresh_token' ? refresh(pool, ask, client, form) : clientToken(ask, client, form);
}

async function clientToken(ask, client, form) {
  const audience = form.get('resource');
  const [resource] = await ask(sql.FIND_RESOURCE, [digest(audience)]);
  const scope = client.resource_scopes[resource.identifier].join(' ');
  const organization = { org_id: client.organization_id, org_name: client.organization_name, org_path: client.ancestor_ids };
  const claims = { ...organization, sub: client.id, client_id: client.id, aud: audience, scope, permissions: scope.split(' ') };
  const token = jwt({ ...claims, exp: now() + 300, jti: randomBytes(16).toString('base64url') }, 'at+jwt');
  return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 300, scope } };
}

async function refresh(pool, ask, client, form) {
  const used = digest(form.get('refresh_token'));
  const [stored] = await ask(sql.FIND_TOKEN, [used]);
  if (stored?.payload.clientId !== client.id) return INVALID;
  const { payload, tenant_id: tenantId, sign_in_id: signInId } = stored;
  const [standing] = await ask(sql.FIND_STANDING, [tenantId, payload.grantId.split('.')[1], payload.sessionUid]);
  if (!standing) return INVALID;
  const [access, next] = ['oat_', 'ort_'].map((prefix) => prefix + randomBytes(32).toString('base64url'));
  const issued = [
    ['RefreshToken', next, REFRESH_SECONDS],
    ['AccessToken', access, ACCESS_SECONDS],
  ];
  const isDone = await inTransaction(pool, async (run) => {
    if ((await run(sql.CONSUME_TOKEN, [used])).length === 0) return false;
    for (const [kind, token, seconds] of issued) {
      const text = JSON.stringify({ ...payload, kind, iat: now(), exp: now() + seconds });
      await run(sql.INSERT_TOKEN, [digest(token), tenantId, kind, text, signInId, new Date(Date.now() + seconds * 1_000)]);
    }
    return true;
  });
  if (!isDone) return INVALID;
  const { scope } = payload;
  const idToken = jwt({ sub: payload.accountId, aud: client.id, exp: now() + 3_600, ...claimsOf(standing) }, 'JWT');
  return {
    status: 200,
    body: {
      access_token: access,
      refresh_token: next,
      id_token: idToken,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      scope,
    },
  };
}

const claimsOf = ({ email, roles, authentication_methods: amr, authenticated_at: at, ...standing }) => ({
  email,
  email_verified: standing.email_verified,
  name: standing.display_name ?? `${standing.first_name} ${standing.last_name}`,
  org_id: standing.organization_id,
  org_name: standing.organization_name,
  org_path: [...standing.ancestor_ids, standing.organization_id],
  roles,
  amr,
  auth_time: Math.floor(at.getTime() / 1_000),
});

async function inTransaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(async (statement, values) => (await client.query({ ...statement, values })).rows);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(error);
    throw error;
  }
}
