import { groupBy, readJson } from './shared.mjs';

/**
 * `better-auth tables.json`: the tables user, account, passkey, member and organization as arrays, for example
 *   psql -Atc "SELECT json_build_object('user', (SELECT json_agg(t) FROM \"user\" t), 'account', (SELECT json_agg(t) FROM account t))"
 * Secrets of authenticator apps are encrypted there and not converted.
 */
export function betterAuth([file], { link }) {
  const { user: users, account = [], passkey = [], member = [], organization = [] } = readJson(file);
  const [accounts, passkeys, members] = [account, passkey, member].map((rows) => groupBy(rows ?? [], 'userId'));
  const slugs = new Map(organization.map(({ id, slug }) => [id, slug]));
  const organizations = organization.map(({ slug, name }) => ({ organization: { slug, name } }));
  return organizations.concat(
    users.map((user) => {
      const ofUser = accounts.get(user.id) ?? [];
      const hash = ofUser.find(({ providerId }) => providerId === 'credential')?.password;
      const [salt, derived] = hash?.split(':') ?? [];
      return {
        externalId: user.id,
        email: user.email,
        emailVerified: user.emailVerified,
        displayName: user.name,
        picture: user.image,
        phoneNumber: user.phoneNumber,
        phoneVerified: user.phoneNumberVerified || undefined,
        // scrypt with N = 16,384, r = 16, p = 1, in the form of Werkzeug.
        passwordHash: hash && `scrypt:16384:16:1$${salt}$${derived}`,
        identities: ofUser
          .filter(({ providerId }) => providerId !== 'credential')
          .map(({ providerId, accountId }) => link(providerId, accountId)),
        passkeys: (passkeys.get(user.id) ?? []).map((key) => ({
          credentialId: key.credentialID,
          publicKey: key.publicKey,
          counter: key.counter,
          backedUp: key.backedUp,
          transports: key.transports?.split(',').filter(Boolean),
          name: key.name || undefined,
        })),
        memberships: (members.get(user.id) ?? []).map(({ organizationId, role }) => {
          const [first, ...others] = role.split(',');
          return { organization: slugs.get(organizationId) ?? organizationId, role: first, roles: others };
        }),
        status: user.banned ? 'suspended' : undefined,
        suspendedReason: user.banned ? (user.banReason ?? 'Banned at better-auth') : undefined,
      };
    }),
  );
}
