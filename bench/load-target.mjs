import { PasswordHasher } from '#platform/crypto';
import { readTargets } from './directories.mjs';
import { call } from './service.mjs';
import { withClient } from './stores.mjs';

export const PASSWORD = 'lantern orbit velvet quarry';
/** Number of users with a password and a session. */
export const ACCOUNTS = 50;
/** Number of users whom SCIM finds. */
const SCIM_USERS = 50;
/** Number of organizations to which users are added in turn. */
const ORGANIZATIONS = 5;
const BUILT_IN_ROLES = ['role_admin', 'role_viewer'];

/** Creates what the requests of the load need in the organization with `size` users. */
export async function loadTarget(databaseUrl, service, size) {
  const [{ slug, id, users }] = await readTargets(databaseUrl, [size], size);
  const { rows } = await withClient(databaseUrl, (client) => client.query('SELECT id FROM roles WHERE tenant_id = $1', [id]));
  const organization = `/v1/organizations/${slug}`;
  const apiKey = await call(service, 'POST', `${organization}/api-keys`, { name: 'Bench', scopes: ['*'] });
  const organizationIds = [];
  for (let count = 0; count < ORGANIZATIONS; count++) {
    const department = await call(service, 'POST', '/v1/organizations', { name: `Department ${count}`, parentId: id });
    organizationIds.push(department.data.id);
  }
  const accounts = users.slice(0, ACCOUNTS);
  await setPasswords(databaseUrl, id, accounts);
  return {
    id,
    slug,
    path: `${organization}/users`,
    users,
    roleIds: [...BUILT_IN_ROLES, ...rows.map((row) => row.id)],
    organizationIds,
    key: apiKey.data.key,
    accounts,
    sessions: await signIn(service, slug, accounts),
    scim: await createScimConnection(service, organization),
  };
}

/** Activates users and gives them a password. */
async function setPasswords(databaseUrl, tenantId, users) {
  const hash = await new PasswordHasher().hash(PASSWORD);
  const ids = users.map(({ id }) => id);
  await withClient(databaseUrl, async (client) => {
    await client.query(`UPDATE users SET status = 'active' WHERE tenant_id = $1 AND id = ANY ($2)`, [tenantId, ids]);
    await client.query(
      `INSERT INTO user_credentials (tenant_id, user_id, password_hash, password_changed_at)
       SELECT $1, id, $3, now() FROM unnest($2::text[]) AS id`,
      [tenantId, ids, hash],
    );
  });
}

async function signIn(service, organization, users) {
  const tokens = [];
  for (const { email } of users) {
    const { data } = await call(service, 'POST', '/v1/auth/login', { organization, email, password: PASSWORD });
    tokens.push(data.sessionToken);
  }
  return tokens;
}

async function createScimConnection(service, organization) {
  const connections = `${organization}/scim-connections`;
  const { id } = (await call(service, 'POST', connections, { name: 'Bench' })).data;
  const { token } = (await call(service, 'POST', `${connections}/${id}/tokens`, { name: 'Bench' })).data;
  const scim = {
    path: `/scim/v2/${id}/Users`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    userNames: Array.from({ length: SCIM_USERS }, (_, number) => `scim.found${number}@example.com`),
  };
  for (const userName of scim.userNames) await call({ ...service, headers: scim.headers }, 'POST', scim.path, scimUser(userName));
  return scim;
}

export const scimUser = (userName) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  name: { givenName: 'New', familyName: 'User' },
  emails: [{ value: userName, primary: true }],
});
