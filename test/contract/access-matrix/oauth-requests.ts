import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { newId } from '#platform/common';
import { at, type MatrixRow, type MatrixRows, OF_PLATFORM } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

const MACHINE = { name: 'Matrix', type: 'machine' };
const WEB = { name: 'Matrix', type: 'web', redirectUris: ['https://app.example.com/callback'] };
const resource = () => ({ identifier: `https://${randomUUID()}.example`, name: 'Matrix', scopes: [{ name: 'invoices:read' }] });

const created = async ({ app }: Setup, path: string, body: object): Promise<string> =>
  `${path}/${(await app.api.platform.post(path, body).expect(201)).body.data.id}`;

const onNew = (collection: string, body: () => object, change?: object): MatrixRow => ({
  ...OF_PLATFORM,
  request: async (setup) => ({ path: await created(setup, collection, body()), body: change }),
});

const secretOf = (collection: (orgs: RequestOrganizations) => string, more: Omit<MatrixRow, 'request'>): MatrixRow => ({
  ...more,
  request: async (setup, orgs) => {
    const client = await created(setup, collection(orgs), MACHINE);
    return { path: await created(setup, `${client}/secrets`, {}) };
  },
});

const secretsOf = (
  collection: (orgs: RequestOrganizations) => string,
  more: Omit<MatrixRow, 'request'>,
  body?: object,
): MatrixRow => ({
  ...more,
  request: async (setup, orgs) => ({ path: `${await created(setup, collection(orgs), MACHINE)}/secrets`, body }),
});

const ofOrganization = (orgs: RequestOrganizations): string => at(orgs, '/oauth-clients');
const ofPlatform = (): string => '/v1/oauth-clients';

/** Returns a row for a request about the logout deliveries of a new client, which has a failed one. */
const onLogoutDelivery = (rest: (deliveryId: string) => string, body?: object): MatrixRow => ({
  request: async (setup, orgs) => {
    const client = await created(setup, ofOrganization(orgs), WEB);
    const id = newId('delivery');
    await setup.app.database.query(
      `INSERT INTO deliveries (tenant_id, event_id, id, webhook_id, organization_id, event_type, status, created_at, completed_at)
       SELECT tenant_id, id, $2, $1, organization_id, type, 'failed', now(), now() FROM events WHERE payload::jsonb #>> '{data,id}' = $1`,
      [client.split('/').at(-1), id],
    );
    return { path: `${client}/logout-deliveries${rest(id)}`, body };
  },
});

/** Returns the organization that manages a user. */
const homeOf = async ({ app }: Setup, userId: string): Promise<string> =>
  (await app.database.query<{ id: string }>('SELECT organization_id AS id FROM users WHERE id = $1', [userId]))[0]?.id ?? '';

/** Inserts a grant of a user in the organization that manages the user. */
async function grant(setup: Setup, userId: string): Promise<string> {
  const { app } = setup;
  const id = newId('oauthGrant');
  const client = (await app.api.platform.post(ofPlatform(), WEB).expect(201)).body.data.id;
  await app.database.query(
    `INSERT INTO oauth_grants (tenant_id, id, organization_id, client_tenant_id, client_id, user_tenant_id, user_id, scopes,
       resource_scopes, created_at, updated_at)
     SELECT tenant_id, $1, organization_id, 'platform', $2, tenant_id, id, '{openid}', '{}', now(), now() FROM users WHERE id = $3`,
    [id, client, userId],
  );
  return id;
}

/** Returns the approval of a new client of the platform. */
async function approval(setup: Setup, orgs: RequestOrganizations, status: 'pending' | 'approved'): Promise<string> {
  const { app } = setup;
  const clientId = (await app.api.platform.post(ofPlatform(), WEB).expect(201)).body.data.id;
  const path = await created(setup, at(orgs, '/application-approvals'), { clientId });
  await app.database.query('UPDATE application_approvals SET status = $1 WHERE client_id = $2', [status, clientId]);
  return path;
}

const onApproval = (status: 'pending' | 'approved', rest: string, body?: object): MatrixRow => ({
  request: async (setup, orgs) => ({ path: (await approval(setup, orgs, status)) + rest, body }),
});

/** Inserts an authorization request of a client of the platform, whose browser sends its cookie. */
async function interaction({ app }: Setup, prompt: string): Promise<{ path: string; headers: Record<string, string> }> {
  const id = randomUUID();
  const client = (await app.api.platform.post(ofPlatform(), WEB).expect(201)).body.data.id;
  const now = Math.floor(Date.now() / 1_000);
  const details = { missingOIDCScope: ['openid'] };
  const payload = { prompt: { name: prompt, reasons: [], details }, params: { client_id: client }, iat: now, exp: now + 3_600 };
  await app.database.query(
    `INSERT INTO oauth_artifacts (id_hash, tenant_id, kind, payload, expires_at)
     VALUES ($1, 'platform', 'Interaction', $2, now() + interval '1 hour')`,
    [createHash('sha256').update(id).digest(), JSON.stringify(payload)],
  );
  return { path: `/v1/oauth/interactions/${id}`, headers: { cookie: `${app.config.serviceName}-oauth-${id}=1` } };
}

const onInteraction = (prompt: string, rest: string, body?: (organizationId: string) => object): MatrixRow => ({
  ownAccount: 'of a user',
  request: async (setup, _orgs, credential) => {
    const { path, headers } = await interaction(setup, prompt);
    const sent = body?.(await homeOf(setup, setup.userIdOf(credential)));
    return { path: path + rest, headers, ...(sent ? { body: sent } : {}) };
  },
});

/** Inserts the request of a device, whose code the caller has entered. */
async function deviceRequest({ app }: Setup, credential = ''): Promise<{ userCode: string }> {
  const letters = Array.from(randomBytes(8), (byte) => 'BCDFGHJKLMNPQRSTVWXZ'[byte % 20]).join('');
  const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code'];
  const client = (await app.api.platform.post(ofPlatform(), { ...MACHINE, type: 'native', grantTypes }).expect(201)).body.data.id;
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const sql = `INSERT INTO oauth_artifacts (id_hash, tenant_id, kind, payload, expires_at) VALUES ($1, 'platform', $2, $3, now() + interval '1 hour')`;
  const insert = (hash: Buffer, kind: string, payload: object) => app.database.query(sql, [hash, kind, JSON.stringify(payload)]);
  const [session] = await app.database.query<{ id: string; user_id: string }>(
    'SELECT id, user_id FROM sessions WHERE token_hash = $1',
    [sha256(credential)],
  );
  const now = Math.floor(Date.now() / 1_000);
  const openedBy = session && { openedBy: { userId: session.user_id, sessionId: session.id } };
  const request = { clientId: client, params: { scope: 'openid' }, iat: now, exp: now + 600, ...openedBy };
  await insert(sha256(letters), 'DeviceCode', request);
  await insert(sha256(`user_code:${letters}`), 'UserCode', { deviceCodeHash: sha256(letters).toString('base64') });
  return { userCode: letters };
}

const onDeviceRequest = (rest: string, body?: (organizationId: string) => object): MatrixRow => ({
  ownAccount: 'of a user',
  request: async (setup, _orgs, credential) => {
    const request = await deviceRequest(setup, credential);
    const sent = body?.(await homeOf(setup, setup.userIdOf(credential)));
    return { path: `/v1/oauth/device-requests${rest}`, body: { ...request, ...sent } };
  },
});

/** The operations on OAuth clients, resources and grants that are not those of every resource. */
export const OAUTH_ROWS: MatrixRows = {
  listOauthClientSecrets: secretsOf(ofOrganization, {}),
  createOauthClientSecret: secretsOf(ofOrganization, {}, {}),
  deleteOauthClientSecret: secretOf(ofOrganization, {}),
  listLogoutDeliveries: onLogoutDelivery(() => ''),
  getLogoutDelivery: onLogoutDelivery((id) => `/${id}`),
  retryLogoutDelivery: onLogoutDelivery((id) => `/${id}/retry`),
  replayLogoutDeliveries: onLogoutDelivery(() => '/replay', { since: '2026-01-01T00:00:00Z', dryRun: true }),
  listPlatformOauthClients: { ...OF_PLATFORM, request: () => ({ path: ofPlatform() }) },
  createPlatformOauthClient: { ...OF_PLATFORM, request: () => ({ path: ofPlatform(), body: MACHINE }) },
  getPlatformOauthClient: onNew(ofPlatform(), () => MACHINE),
  updatePlatformOauthClient: onNew(ofPlatform(), () => MACHINE, { name: 'Changed' }),
  deletePlatformOauthClient: onNew(ofPlatform(), () => MACHINE),
  listPlatformOauthClientSecrets: secretsOf(ofPlatform, OF_PLATFORM),
  createPlatformOauthClientSecret: secretsOf(ofPlatform, OF_PLATFORM, {}),
  deletePlatformOauthClientSecret: secretOf(ofPlatform, OF_PLATFORM),
  listPlatformOauthResources: { ...OF_PLATFORM, request: () => ({ path: '/v1/oauth-resources' }) },
  createPlatformOauthResource: { ...OF_PLATFORM, request: () => ({ path: '/v1/oauth-resources', body: resource() }) },
  getPlatformOauthResource: onNew('/v1/oauth-resources', resource),
  updatePlatformOauthResource: onNew('/v1/oauth-resources', resource, { name: 'Changed' }),
  deletePlatformOauthResource: onNew('/v1/oauth-resources', resource),
  listApplicationApprovals: { request: (_setup, orgs) => ({ path: at(orgs, '/application-approvals') }) },
  getApplicationApproval: onApproval('pending', ''),
  createApplicationApproval: {
    request: async ({ app }, orgs) => {
      const clientId = (await app.api.platform.post(ofPlatform(), WEB).expect(201)).body.data.id;
      return { path: at(orgs, '/application-approvals'), body: { clientId } };
    },
  },
  approveApplication: onApproval('pending', '/approve'),
  denyApplication: onApproval('pending', '/deny', {}),
  revokeApplicationApproval: onApproval('approved', '/revoke', {}),
  revokeOauthGrant: {
    request: async (setup, orgs) => ({ path: at(orgs, `/oauth-grants/${await grant(setup, setup.fixtures.user)}`) }),
  },
  revokeOwnOauthGrant: {
    ownAccount: 'of a user',
    request: async (setup, _orgs, credential) => ({
      path: `/v1/auth/oauth-grants/${await grant(setup, setup.userIdOf(credential))}`,
    }),
  },
  getOauthInteractionApplication: {
    public: true,
    outside: 'open',
    withoutOrganization: true,
    request: async (setup) => {
      const { path, headers } = await interaction(setup, 'login');
      return { path: `${path}/application`, headers };
    },
  },
  getOauthInteraction: onInteraction('consent', ''),
  chooseOauthInteractionOrganization: onInteraction('organization', '/organization', (organizationId) => ({ organizationId })),
  allowOauthInteraction: onInteraction('consent', '/consent', () => ({})),
  openOauthDeviceRequest: onDeviceRequest(''),
  allowOauthDeviceRequest: onDeviceRequest('/approval', (organizationId) => ({ organizationId })),
  denyOauthDeviceRequest: onDeviceRequest('/denial'),
  requestOauthInteractionApproval: onInteraction('approval', '/approval-request', () => ({ reason: 'For work' })),
  denyOauthInteraction: {
    public: true,
    outside: 'open',
    withoutOrganization: true,
    request: async (setup) => {
      const { path, headers } = await interaction(setup, 'login');
      return { path: `${path}/denial`, headers: { ...headers, 'sec-fetch-site': 'same-origin' }, body: {} };
    },
  },
  getApplicationLogo: {
    public: true,
    outside: 'open',
    withoutOrganization: true,
    request: async ({ app, logoUrl }) => {
      const client = { ...WEB, logoUri: logoUrl };
      return {
        path: `/v1/auth/application-logos/${(await app.api.platform.post(ofPlatform(), client).expect(201)).body.data.id}`,
      };
    },
  },
};
