import { randomUUID } from 'node:crypto';
import type { SignedIn } from '../../support/signed-in.js';
import { at, type MatrixRows, own, sends } from './row.js';
import { type Setup, WITHOUT_PERMISSIONS } from './setup.js';

/** Links the user to an identity provider of the tenant and returns the ID of the provider. */
async function linkIdentity(setup: Setup, { tenantId, id }: Pick<SignedIn, 'tenantId' | 'id'>): Promise<string> {
  const { query } = setup.app.database;
  const [known] = await query<{ id: string }>('SELECT id FROM identity_providers WHERE tenant_id = $1 LIMIT 1', [tenantId]);
  const provider = known?.id ?? (await setup.createResource('identity-providers', tenantId));
  await query(
    `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
     VALUES ($1, $2, $3, 'https://login.example.com', $4, 'Existing', now())`,
    [tenantId, id, provider, randomUUID()],
  );
  return provider;
}

export const IDENTITY_ROWS: MatrixRows = {
  listOwnIdentities: own('/v1/auth/identities'),
  unlinkOwnIdentity: {
    ownAccount: 'of a new user',
    request: async (setup, _orgs, credential) => {
      const user = setup.signedInBy(credential);
      const provider = user ? await linkIdentity(setup, user) : setup.fixtures.identityProvider;
      // The service rejects the removal of the last sign-in method. The user therefore has a passkey.
      if (user) await setup.app.database.query(`UPDATE users SET mfa_methods = '{passkey}' WHERE id = $1`, [user.id]);
      return { path: `/v1/auth/identities/${provider}`, body: {} };
    },
  },
  listUserIdentities: sends(({ fixtures }) => `/users/${fixtures.user}/identities`),
  unlinkUserIdentity: async (setup, orgs) => {
    const user = await setup.unusedUser(orgs.own, WITHOUT_PERMISSIONS);
    return { path: at(orgs, `/users/${user.id}/identities/${await linkIdentity(setup, user)}`) };
  },
};
