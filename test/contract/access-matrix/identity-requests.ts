import { randomUUID } from 'node:crypto';
import { at, type MatrixRow, reads } from './row.js';
import type { World } from './world.js';

/** Links a user to an identity provider of their tenant and returns its id. */
async function linkIdentity(world: World, userId: string): Promise<string> {
  const { query } = world.app.database;
  const [user] = await query<{ tenant: string; organization: string }>(
    'SELECT tenant_id AS tenant, organization_id AS organization FROM users WHERE id = $1',
    [userId],
  );
  const { tenant, organization } = user!;
  const [known] = await query<{ id: string }>('SELECT id FROM identity_providers WHERE tenant_id = $1 LIMIT 1', [tenant]);
  const provider = known?.id ?? (await world.fresh('identity-providers', organization));
  await query(
    `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
     VALUES ($1, $2, $3, 'https://login.example.com', $4, 'Existing', now())`,
    [tenant, userId, provider, randomUUID()],
  );
  return provider;
}

/** Rows of the operations on the identities of users. */
export const IDENTITY_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listOwnIdentities: [{ ownAccount: true, request: () => ({ path: '/v1/auth/identities' }) }],
  unlinkOwnIdentity: [
    {
      ownAccount: true,
      request: async (world, _place, credential) => {
        const user = world.signedInBy(credential);
        const provider = user ? await linkIdentity(world, user.id) : world.fixtures.identityProvider;
        // The user keeps another way to sign in.
        if (user) await world.app.database.query(`UPDATE users SET mfa_methods = '{passkey}' WHERE id = $1`, [user.id]);
        return { path: `/v1/auth/identities/${provider}`, body: {} };
      },
    },
  ],
  listUserIdentities: [reads(({ fixtures }) => `/users/${fixtures.user}/identities`)],
  unlinkUserIdentity: [
    {
      request: async (world, place) => {
        // The role grants nothing, because a caller can't change the sign-in of a user with higher privileges.
        const body = { ...world.body('users'), roles: [world.fixtures.role] };
        const { data: user } = (await world.app.api.platform.post(at(place, '/users'), body).expect(201)).body;
        return { path: at(place, `/users/${user.id}/identities/${await linkIdentity(world, user.id)}`) };
      },
    },
  ],
};
