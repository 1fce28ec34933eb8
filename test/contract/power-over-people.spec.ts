import { describe, expect, it } from '@jest/globals';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { generatedDocument, operationsOf } from '../support/operations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { identityProvider } from '../support/oidc.js';
import { testApp } from '../support/test-app.js';

const document = await generatedDocument();
const operations = operationsOf(document).filter(({ path }) => path.startsWith('/v1/organizations/'));

/** Operations that change another user. */
const changesOfUsers = operations.filter(
  ({ method, path, id }) => method !== 'GET' && (/\/users\/\{\w+\}|\/members/.test(path) || id === 'importUsers'),
);

/** An owner that a caller with fewer permissions tries to change. */
interface Target extends SignedIn {
  organization: string;
  provider: string;
  /** The ID of a group with a role, which the owner is a member of. */
  group: string;
}

interface Attempt {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object | string;
}

/** Requests that change an owner, by operation ID. A string is the reason why the required permission is sufficient. */
const ATTEMPTS: Readonly<Record<string, ((target: Target) => Attempt) | string>> = {
  updateUser: (target) => ({ method: 'PATCH', path: user(target), body: { email: newAddress() } }),
  deleteUser: (target) => ({ method: 'DELETE', path: user(target) }),
  suspendUser: (target) => ({ method: 'POST', path: user(target, '/suspend') }),
  activateUser: (target) => ({ method: 'POST', path: user(target, '/activate') }),
  restoreUser: (target) => ({ method: 'POST', path: user(target, '/restore') }),
  inviteUser: (target) => ({ method: 'POST', path: user(target, '/invitation') }),
  removeUserMfa: (target) => ({ method: 'DELETE', path: user(target, '/mfa') }),
  unlinkUserIdentity: (target) => ({ method: 'DELETE', path: user(target, `/identities/${target.provider}`) }),
  revokeUserSession: (target) => ({ method: 'DELETE', path: user(target, `/sessions/${target.sessionId}`) }),
  revokeUserSessions: (target) => ({ method: 'DELETE', path: user(target, '/sessions') }),
  startPasswordReset: (target) => ({ method: 'POST', path: user(target, '/password-reset') }),
  revokeRole: (target) => ({ method: 'DELETE', path: user(target, '/roles/role_owner') }),
  removeMember: (target) => ({ method: 'DELETE', path: at(target, `/members/${target.id}`) }),
  addMember: (target) => ({ method: 'POST', path: at(target, '/members'), body: { userId: target.id, role: 'role_viewer' } }),
  assignRole: 'Removes no permission. The caller must have the permissions of the role that it assigns (granting.spec.ts).',
  addGroupMembers: 'Removes no permission. The caller must have the permissions of the roles of the group (groups.spec.ts).',
  removeGroupMember: (target) => ({ method: 'DELETE', path: at(target, `/groups/${target.group}/members/${target.id}`) }),
  importUsers: (target) => ({
    method: 'POST',
    path: at(target, '/users/import'),
    body: `${JSON.stringify({ email: target.email, externalId: 'taken-over' })}\n`,
  }),
};

const at = ({ organization }: Target, rest: string): string => `/v1/organizations/${organization}${rest}`;
const user = (target: Target, rest = ''): string => at(target, `/users/${target.id}${rest}`);

describe('the protection of owners', () => {
  const app = testApp();

  /** Creates a second owner of an organization, in the state that the operation requires. */
  async function targetOf(operation: string): Promise<Target> {
    const organization = (await newOrganization(app)).id;
    await signedIn(app, organization, { roles: ['owner'] });
    const owner = await signedIn(app, organization, { roles: ['owner'] });
    const provider = (await identityProvider(app, organization, 'https://login.example.com')).id;
    await app.database.query(
      `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
       VALUES ($1, $2, $3, 'https://login.example.com', 'owner', 'Login', now())`,
      [owner.tenantId, owner.id, provider],
    );
    const groups = `/v1/organizations/${organization}/groups`;
    const group = (await made(app, groups, { name: 'Readers' })).id;
    await app.api.platform.post(`${groups}/${group}/members`, { userIds: [owner.id] }).expect(200);
    await made(app, `${groups}/${group}/roles`, { roleId: 'viewer' });
    const target = { ...owner, organization, provider, group };
    if (operation === 'inviteUser')
      target.id = (await made(app, `/v1/organizations/${organization}/users`, { email: newAddress(), roles: ['owner'] })).id;
    if (operation === 'activateUser') await app.api.platform.post(user(target, '/suspend')).expect(200);
    if (operation === 'inviteUser') await app.database.query(`UPDATE users SET status = 'pending' WHERE id = $1`, [owner.id]);
    if (operation === 'restoreUser') await app.api.platform.delete(user(target)).expect(204);
    return target;
  }

  async function keyFor({ organization }: Target, permission: string): Promise<TestClient> {
    const { key } = await made(app, `/v1/organizations/${organization}/api-keys`, { name: 'weak', scopes: [permission] });
    return app.api.as(key);
  }

  const send = (client: TestClient, { method, path, body }: Attempt): Promise<TestResponse> =>
    typeof body === 'string'
      ? client.raw(method, path, body, { 'content-type': 'application/x-ndjson' })
      : client.request(method, path, body);

  it('covers every operation that changes another user', () => {
    expect(changesOfUsers.map(({ id }) => id).toSorted()).toEqual(Object.keys(ATTEMPTS).toSorted());
  });

  const attempted = changesOfUsers.filter(({ id }) => typeof ATTEMPTS[id] === 'function');
  it.each(attempted)('rejects $id if the caller has only the required permission', async ({ id, permission }) => {
    const target = await targetOf(id);
    const attempt = (ATTEMPTS[id] as (target: Target) => Attempt)(target);
    const before = await app.database.query('SELECT u::text FROM users u WHERE id = $1', [target.id]);

    const { status, body } = await send(await keyFor(target, permission!), attempt);

    // The response to importUsers has one line for each user.
    if (id === 'importUsers') expect(String(body)).toContain('"code":"forbidden"');
    else expect([status, body?.code, body?.detail]).toEqual([403, 'forbidden', expect.stringContaining('permissions')]);
    expect(await app.database.query('SELECT u::text FROM users u WHERE id = $1', [target.id])).toEqual(before);
    expect((await send(app.api.platform, attempt)).status).toBeLessThan(300);
  });
});
