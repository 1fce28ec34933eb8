import { randomUUID } from 'node:crypto';
import { at, type MatrixRows, sends } from './row.js';
import type { Setup } from './setup.js';

/** Links the user to an identity provider of the tenant and returns the ID of the provider. */
async function linkIdentity(setup: Setup, userId: string): Promise<string> {
  const { query } = setup.app.database;
  const [user] = await query<{ tenant: string; organization: string }>(
    'SELECT tenant_id AS tenant, organization_id AS organization FROM users WHERE id = $1',
    [userId],
  );
  const { tenant, organization } = user!;
  const [known] = await query<{ id: string }>('SELECT id FROM identity_providers WHERE tenant_id = $1 LIMIT 1', [tenant]);
  const provider = known?.id ?? (await setup.createResource('identity-providers', organization));
  await query(
    `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
     VALUES ($1, $2, $3, 'https://login.example.com', $4, 'Existing', now())`,
    [tenant, userId, provider, randomUUID()],
  );
  return provider;
}

export const IDENTITY_ROWS: MatrixRows = {
  listOwnIdentities: { ownAccount: true, request: () => ({ path: '/v1/auth/identities' }) },
  unlinkOwnIdentity: {
    ownAccount: true,
    request: async (setup, _orgs, credential) => {
      const user = setup.signedInBy(credential);
      const provider = user ? await linkIdentity(setup, user.id) : setup.fixtures.identityProvider;
      // The service rejects the removal of the last sign-in method. The user therefore has a passkey.
      if (user) await setup.app.database.query(`UPDATE users SET mfa_methods = '{passkey}' WHERE id = $1`, [user.id]);
      return { path: `/v1/auth/identities/${provider}`, body: {} };
    },
  },
  listUserIdentities: sends(({ fixtures }) => `/users/${fixtures.user}/identities`),
  unlinkUserIdentity: {
    request: async (setup, orgs) => {
      // The role has no permissions. A caller can't change the sign-in of a user with higher privileges.
      const body = { ...setup.body('users'), roles: [setup.fixtures.role] };
      const { data: user } = (await setup.app.api.platform.post(at(orgs, '/users'), body).expect(201)).body;
      return { path: at(orgs, `/users/${user.id}/identities/${await linkIdentity(setup, user.id)}`) };
    },
  },
};
