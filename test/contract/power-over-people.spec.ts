import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { TestBody, TestClient, TestResponse } from '../support/http-client.js';
import { at as atOrganization, keyClient, made, newAddress, newOrganization } from '../support/organizations.js';
import { generatedDocument, type Operation, operationsOf } from '../support/operations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { identityProvider } from '../support/oidc.js';
import { testApp } from '../support/test-app.js';
import { PLATFORM_OPERATIONS } from './access-matrix/requests.js';
import { fieldsOf, LOCAL_URL } from './request-bodies.js';

const document = await generatedDocument();
const operations = operationsOf(document).filter(({ path }) => path.startsWith('/v1/organizations/'));

/** Operations that change another user. */
const changesOfUsers = operations.filter(
  ({ method, path, id }) => method !== 'GET' && (/\/users\/(\{\w+\}|batch)|\/members/.test(path) || id === 'importUsers'),
);

/** An owner that a caller with fewer permissions tries to change. */
interface Target extends SignedIn {
  organization: string;
  provider: string;
  /** The ID of a group with a role, which the owner is a member of. */
  group: string;
}

/** Operations that remove no permission. The caller must have the permissions of the role that they assign (granting.spec.ts, groups.spec.ts). */
const ASSIGNMENTS = new Set(['assignRole', 'addGroupMembers', 'assignRoleToUsers', 'addUsersToGroup', 'inviteUsers']);

/** Operations on many users, which have a result for each user. */
const isBatch = (path: string): boolean => path.includes('/users/batch/');

/** The bodies of the requests that change an owner, by operation ID. The other requests have none. */
const BODIES: Readonly<Record<string, (target: Target) => object | string>> = {
  updateUser: () => ({ email: newAddress() }),
  addMember: ({ id }) => ({ userId: id, role: 'role_viewer' }),
  importUsers: ({ email }) => `${JSON.stringify({ email, externalId: 'taken-over' })}\n`,
};

/** Returns the path of the operation with the IDs of the target. */
function pathFor({ path }: Operation, target: Target): string {
  const ids: Record<string, string> = {
    organizations: target.organization,
    users: target.id,
    members: target.id,
    roles: 'role_owner',
    sessions: target.sessionId,
    identities: target.provider,
    groups: target.group,
  };
  return path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, collection: string) => `${collection}/${ids[collection]}`);
}

describe('the protection of owners', () => {
  const app = testApp();

  /** Creates a second owner of an organization, in the state that the operation requires. */
  async function targetOf(operation: string): Promise<Target> {
    const organization = (await newOrganization(app)).id;
    const at = (rest: string) => atOrganization(organization, rest);
    await signedIn(app, organization, { roles: ['owner'] });
    const owner = await signedIn(app, organization, { roles: ['owner'] });
    const provider = (await identityProvider(app, organization, 'https://login.example.com')).id;
    await app.database.query(
      `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
       VALUES ($1, $2, $3, 'https://login.example.com', 'owner', 'Login', now())`,
      [owner.tenantId, owner.id, provider],
    );
    const group = (await made(app, at('/groups'), { name: 'Readers' })).id;
    await app.api.platform.post(at(`/groups/${group}/members`), { userIds: [owner.id] }).expect(200);
    await made(app, at(`/groups/${group}/roles`), { roleId: 'viewer' });
    const target = { ...owner, organization, provider, group };
    const invites = ['inviteUser', 'resendInvitations'].includes(operation);
    if (invites) target.id = (await made(app, at('/users'), { email: newAddress(), roles: ['owner'] })).id;
    if (invites) await app.database.query(`UPDATE users SET status = 'pending' WHERE id = $1`, [owner.id]);
    if (operation.startsWith('activateUser')) await app.api.platform.post(at(`/users/${owner.id}/suspend`)).expect(200);
    if (operation.startsWith('restoreUser')) await app.api.platform.delete(at(`/users/${owner.id}`)).expect(204);
    return target;
  }

  // Keys can't impersonate anybody; `impersonation.spec.ts` compares people.
  const attempted = changesOfUsers.filter(({ id }) => !ASSIGNMENTS.has(id) && id !== 'requestImpersonation');
  it.each(attempted)('rejects $id if the caller has only the required permission', async (operation) => {
    const { id, method, permission } = operation;
    const target = await targetOf(id);
    const ofBatch = { userIds: [target.id], roleId: 'role_owner', groupId: target.group };
    const fields = operation.body ? fieldsOf(document, operation.body.schema).map(({ pointer }) => pointer.slice(1)) : [];
    const body = isBatch(operation.path)
      ? Object.fromEntries(Object.entries(ofBatch).filter(([name]) => fields.includes(name)))
      : BODIES[id]?.(target);
    const send = (client: TestClient): Promise<TestResponse> =>
      typeof body === 'string'
        ? client.raw(method, pathFor(operation, target), body, { 'content-type': 'application/x-ndjson' })
        : client.request(method, pathFor(operation, target), body);
    const before = await app.database.query('SELECT u::text FROM users u WHERE id = $1', [target.id]);

    const { status, body: problem } = await send(await keyClient(app, target.organization, [permission!]));

    // The response to importUsers has one line for each user.
    if (id === 'importUsers') expect(String(problem)).toContain('"code":"forbidden"');
    else {
      const [rejected] = isBatch(operation.path) ? problem.data.results.map((result: TestBody) => result.problem) : [problem];
      const { status: problemStatus = status, code, detail } = rejected ?? {};
      expect([problemStatus, code, detail]).toEqual([403, 'forbidden', expect.stringContaining('permissions')]);
    }
    expect(await app.database.query('SELECT u::text FROM users u WHERE id = $1', [target.id])).toEqual(before);
    const allowed = await send(app.api.platform);
    expect([allowed.status < 300, allowed.body?.data?.failed ?? 0]).toEqual([true, 0]);
  });
});

/** Operations that can create or change something that stays when break-glass access ends. A person can't use the operations of the platform. */
const changes = operationsOf(document).filter(
  ({ id, method, permission }) => permission !== undefined && /POST|PATCH|PUT/.test(method) && !PLATFORM_OPERATIONS.includes(id),
);

/** This service's own API, as a resource of an OAuth client. */
const OWN_API = [{ identifier: 'http://localhost:3000', scopes: ['users:read'] }];

const SETTINGS = {
  allowPublicSignup: true,
  requireMfa: true,
  mfaMethods: ['totp'],
  ssoRequired: true,
  sessionTimeout: 1_800,
  sessionLifetime: 43_200,
  passwordPolicy: { minLength: 8 },
  allowedDomains: ['example.com'],
  defaultRole: 'admin',
  maxApiKeyLifetime: 86_400,
  disableFlaggedApiKeys: true,
  disableFlaggedWebhooks: true,
  allowedNetworks: ['127.0.0.0/8'],
  impersonationApproval: 'user',
  applicationApproval: 'owners',
  clientIdMetadataDomains: ['client.example.com'],
  dynamicClientRegistration: true,
};
const NOTHING_STAYS = 'Changes nothing that grants permissions.';
const AS_SINGLE = 'Changes each user with the service of the operation for one user.';
const SECOND_PERSON = 'A second person without break-glass access decides (break-glass.spec.ts).';

const OWN_IMPERSONATION = 'Needs what the request needs (impersonation.spec.ts).';

/** The requests of an operation: the path after the organization, and the body. */
type Requests = (world: World) => readonly (readonly [rest: string, body?: object | string])[];

/** Requests that would leave permissions, access or weaker settings behind, by operation ID. A string is the reason why nothing is left. */
const LEAVES: Readonly<Record<string, Requests | string>> = {
  importUsers: () => [['/users/import', `${JSON.stringify({ email: newAddress(), roles: ['viewer'] })}\n`]],
  createUser: () => [['/users', { email: newAddress(), roles: ['viewer'] }]],
  updateUser: ({ admin }) => [[`/users/${admin}`, { email: newAddress() }]],
  suspendUser: ({ admin }) => [[`/users/${admin}/suspend`, {}]],
  activateUser: ({ suspended }) => [[`/users/${suspended}/activate`]],
  restoreUser: ({ deleted }) => [[`/users/${deleted}/restore`]],
  inviteUser: ({ pending }) => [[`/users/${pending}/invitation`]],
  inviteUsers: AS_SINGLE,
  suspendUsers: AS_SINGLE,
  activateUsers: AS_SINGLE,
  deleteUsers: AS_SINGLE,
  restoreUsers: AS_SINGLE,
  resendInvitations: AS_SINGLE,
  assignRoleToUsers: AS_SINGLE,
  revokeRoleFromUsers: AS_SINGLE,
  removeMembers: AS_SINGLE,
  addUsersToGroup: AS_SINGLE,
  removeUsersFromGroup: AS_SINGLE,
  startPasswordReset: ({ admin }) => [[`/users/${admin}/password-reset`]],
  createIdentityProvider: () => [
    ['/identity-providers', { name: 'Own', issuer: 'https://own.example.com', clientId: 'own', mfaTrusted: true }],
  ],
  updateIdentityProvider: ({ provider }) => [[`/identity-providers/${provider}`, { mfaTrusted: true }]],
  checkIdentityProvider: NOTHING_STAYS,
  updatePasswordMigration: () => [
    ['/password-migration', { url: 'https://auth.example.com/', endsAt: new Date(Date.now() + 3_600_000).toISOString() }],
  ],
  moveOrganization: ({ child, sibling }) => [[`${child}/move`, { parentId: sibling }]],
  previewOrganizationMove: NOTHING_STAYS,
  createOrganization: 'The creator gets no role in the organization. Settings that grant something are in granting.spec.ts.',
  updateOrganization: () => [
    ...Object.entries(SETTINGS).map(([field, value]) => ['', { settings: { [field]: value } }] as const),
    ['', { lockedSettings: ['requireMfa'] }],
  ],
  suspendOrganization: NOTHING_STAYS,
  activateOrganization: ({ suspendedChild }) => [[`${suspendedChild}/activate`]],
  restoreOrganization: ({ deletedChild }) => [[`${deletedChild}/restore`]],
  previewSettings: NOTHING_STAYS,
  planConfiguration: NOTHING_STAYS,
  applyConfiguration: 'Makes its changes with the services of the other operations.',
  createRole: () => [['/roles', { name: `role ${newAddress()}`, permissions: ['users:read'] }]],
  updateRole: ({ role }) => [[`/roles/${role}`, { permissions: ['users:write'] }]],
  createWebhook: () => [['/webhooks', { url: LOCAL_URL, events: ['*'] }]],
  updateWebhook: ({ webhook }) => [
    [`/webhooks/${webhook}`, { url: `${LOCAL_URL}/other` }],
    [`/webhooks/${webhook}`, { events: ['user.*'] }],
    [`/webhooks/${webhook}`, { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }],
  ],
  updateReachableWebhook: 'Changes webhooks as updateWebhook does.',
  rotateWebhookSecret: ({ webhook }) => [[`/webhooks/${webhook}/rotate-secret`, {}]],
  testWebhook: NOTHING_STAYS,
  retryDelivery: ({ webhook }) => [[`/webhooks/${webhook}/deliveries/dlv_1/retry`]],
  replayDeliveries: ({ webhook }) => [[`/webhooks/${webhook}/replay`, { since: '2026-01-01T00:00:00Z' }]],
  addMember: ({ person }) => [['/members', { userId: person, role: 'admin' }]],
  assignRole: ({ person }) => [[`/users/${person}/roles`, { roleId: 'viewer' }]],
  evaluateAccess: NOTHING_STAYS,
  evaluateAccesses: NOTHING_STAYS,
  checkPermission: NOTHING_STAYS,
  checkPermissions: NOTHING_STAYS,
  verifySession: NOTHING_STAYS,
  requestBreakGlass: SECOND_PERSON,
  approveBreakGlass: SECOND_PERSON,
  denyBreakGlass: SECOND_PERSON,
  endBreakGlass: SECOND_PERSON,
  requestImpersonation: ({ person }) => [[`/users/${person}/impersonations`, { reason: 'Ticket', durationSeconds: 60 }]],
  approveImpersonation: OWN_IMPERSONATION,
  denyImpersonation: OWN_IMPERSONATION,
  startImpersonation: OWN_IMPERSONATION,
  endImpersonation: 'The end of an impersonation leaves nothing.',
  createApiKey: () => [['/api-keys', { name: 'own', scopes: ['users:read'] }]],
  rotateApiKey: ({ apiKey }) => [[`/api-keys/${apiKey}/rotate`, {}]],
  createSetupLink: () => [['/setup-links', { steps: ['domain'] }]],
  createGroup: 'A group without roles grants nothing.',
  updateGroup: ({ group }) => [[`/groups/${group}`, { name: `Renamed ${newAddress()}` }]],
  addGroupMembers: ({ group, person }) => [[`/groups/${group}/members`, { userIds: [person] }]],
  assignGroupRole: ({ group }) => [[`/groups/${group}/roles`, { roleId: 'viewer' }]],
  createDomain: 'A domain grants nothing. Trust in it needs all permissions.',
  verifyDomain: 'A domain grants nothing. Trust in it needs all permissions.',
  createOauthClient: () => [['/oauth-clients', { name: 'Own', type: 'machine', resources: OWN_API }]],
  updateOauthClient: ({ client }) => [[`/oauth-clients/${client}`, { name: 'Own' }]],
  retryLogoutDelivery: 'A logout token grants nothing.',
  replayLogoutDeliveries: 'A logout token grants nothing.',
  updateSsfStream: 'A security event grants nothing.',
  retrySsfDelivery: 'A security event grants nothing.',
  replaySsfDeliveries: 'A security event grants nothing.',
  createOauthClientSecret: ({ client }) => [[`/oauth-clients/${client}/secrets`, {}]],
  createApplicationApproval: ({ platformClient }) => [['/application-approvals', { clientId: platformClient }]],
  approveApplication: ({ approval }) => [[`/application-approvals/${approval}/approve`]],
  denyApplication: ({ approval }) => [[`/application-approvals/${approval}/deny`, {}]],
  revokeApplicationApproval: ({ approval }) => [[`/application-approvals/${approval}/revoke`, {}]],
  createOauthResource: 'An API of the organization grants nothing in this service.',
  updateOauthResource: 'An API of the organization grants nothing in this service.',
  createScimConnection: () => [['/scim-connections', { name: 'Own' }]],
  updateScimConnection: ({ connection }) => [[`/scim-connections/${connection}`, { name: 'Own' }]],
  activateScimConnection: ({ connection }) => [[`/scim-connections/${connection}/activate`]],
  startScimPreview: ({ connection }) => [[`/scim-connections/${connection}/start-preview`]],
  rollBackScimConnection: ({ connection }) => [[`/scim-connections/${connection}/roll-back`]],
  createScimToken: ({ connection }) => [[`/scim-connections/${connection}/tokens`, { name: 'Own' }]],
  rotateScimToken: ({ connection, token }) => [[`/scim-connections/${connection}/tokens/${token}/rotate`, {}]],
};

/** Creates an organization and a person with break-glass access. `borrowed` is the client of the person. */
async function createWorld(app: TestApp) {
  const organization = (await newOrganization(app)).id;
  const rest = (path: string) => atOrganization(organization, path);
  const id = async (path: string, body: object): Promise<string> => (await made(app, rest(path), body)).id;
  const user = (roles: string[]) => id('/users', { email: newAddress(), roles });
  const child = async (): Promise<string> => (await newOrganization(app, { parentId: organization })).id;
  /** Returns a child that manages an administrator of the organization. */
  const managing = async (): Promise<string> => {
    const where = await child();
    const { id: userId } = await made(app, atOrganization(where, '/users'), { email: newAddress() });
    await made(app, rest('/members'), { userId, role: 'admin' });
    return where;
  };
  const owner = await signedIn(app, organization, { roles: ['owner'] });
  const role = await id('/roles', { name: 'rescuer', permissions: ['break_glass:request'] });
  const person = await signedIn(app, organization, { roles: [role] });
  const [connection, group] = [await id('/scim-connections', { name: 'Directory' }), await id('/groups', { name: 'Admins' })];
  await made(app, rest(`/groups/${group}/roles`), { roleId: 'admin' });
  // Moves of the sibling's children change what this administrator can do.
  const sibling = await child();
  await made(app, atOrganization(sibling, '/users'), { email: newAddress(), roles: ['admin'] });
  const application = { name: 'Foreign', type: 'web', redirectUris: ['https://app.example.com/callback'] };
  const platformClient = (await made(app, '/v1/oauth-clients', application)).id as string;
  const world = {
    platformClient,
    approval: await id('/application-approvals', { clientId: platformClient }),
    organization,
    child: await child(),
    sibling,
    suspendedChild: await managing(),
    deletedChild: await managing(),
    person: person.id,
    admin: (await signedIn(app, organization, { roles: ['admin'] })).id,
    suspended: await user(['admin']),
    deleted: await user(['admin']),
    pending: await user(['admin']),
    role,
    group,
    webhook: await id('/webhooks', { url: LOCAL_URL, events: ['organization.*'] }),
    apiKey: await id('/api-keys', { name: 'existing', scopes: ['users:read'] }),
    provider: (await identityProvider(app, organization, 'https://login.example.com')).id,
    connection,
    token: await id(`/scim-connections/${connection}/tokens`, { name: 'existing' }),
    client: await id('/oauth-clients', { name: 'Existing', type: 'machine', resources: OWN_API }),
  };
  await app.api.platform.post(rest(`/users/${world.suspended}/suspend`)).expect(200);
  await app.api.platform.delete(rest(`/users/${world.deleted}`)).expect(204);
  await app.api.platform.post(atOrganization(world.suspendedChild, '/suspend')).expect(200);
  await app.api.platform.delete(atOrganization(world.deletedChild)).expect(204);
  const request = { reason: 'Production is down and no owner can be reached', durationSeconds: 3_600 };
  const { data } = (await person.client.post(rest('/break-glass'), request).expect(201)).body;
  await owner.client.post(rest(`/break-glass/${data.id}/approve`)).expect(200);
  await person.client.get(rest('/users')).expect(200);
  return { ...world, borrowed: person.client };
}

type World = Awaited<ReturnType<typeof createWorld>>;

describe('break-glass access', () => {
  const app = testApp();
  let world: World;
  beforeAll(async () => {
    world = await createWorld(app);
  });

  it('covers every operation that creates or changes something', () => {
    expect(Object.keys(LEAVES).toSorted()).toEqual(changes.map(({ id }) => id).toSorted());
  });

  it('reveals no signing secret, which would stay known', async () => {
    const path = atOrganization(world.organization, `/webhooks/${world.webhook}/secret`);
    expect((await world.borrowed.get(path).expect(403)).body.code).toBe('forbidden');
  });

  const attempted = changes.filter(({ id }) => typeof LEAVES[id] === 'function');
  it.each(attempted)('leaves nothing behind with $id', async ({ id, method }) => {
    for (const [rest, body] of (LEAVES[id] as Requests)(world)) {
      const path = rest.startsWith('org_') ? atOrganization(rest) : atOrganization(world.organization, rest);
      const isFile = typeof body === 'string';
      const type: Record<string, string> = body ? { 'content-type': isFile ? 'application/x-ndjson' : 'application/json' } : {};
      const answer = await world.borrowed.raw(method, path, isFile ? body : body && JSON.stringify(body), type);
      if (isFile) expect(String(answer.body)).toContain('"code":"forbidden"');
      else expect([body, answer.status, answer.body?.code]).toEqual([body, 403, 'forbidden']);
    }
  });
});
