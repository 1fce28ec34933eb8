import { readRows } from './shared.mjs';

const PASSWORD_PROVIDERS = new Set(['email', 'phone']);

/**
 * `supabase users.ndjson…`: the rows of auth.users with their identities and factors:
 *   psql -Atc "SELECT to_json(t) FROM (SELECT u.*,
 *     (SELECT json_agg(i) FROM auth.identities i WHERE i.user_id = u.id) AS identities,
 *     (SELECT json_agg(f) FROM auth.mfa_factors f WHERE f.user_id = u.id AND f.status = 'verified') AS mfa_factors
 *     FROM auth.users u) t"
 */
export function supabase(files, { link, note }) {
  return files.flatMap(readRows).map((user) => {
    const profile = user.raw_user_meta_data ?? {};
    const isBanned = user.banned_until !== null && new Date(user.banned_until) > new Date();
    return {
      externalId: user.id,
      email: user.email,
      emailVerified: user.email_confirmed_at !== null,
      displayName: profile.full_name ?? profile.name,
      picture: profile.avatar_url,
      phoneNumber: user.phone ? `+${user.phone}` : undefined,
      phoneVerified: (user.phone && user.phone_confirmed_at !== null) || undefined,
      // Kept apart: users can edit raw_user_meta_data, but not raw_app_meta_data.
      metadata: { user_metadata: profile, app_metadata: user.raw_app_meta_data },
      passwordHash: user.encrypted_password,
      totpSecret: totpOf(user, note),
      identities: (user.identities ?? [])
        .filter(({ provider }) => !PASSWORD_PROVIDERS.has(provider))
        .map(({ provider, provider_id: subject }) => link(provider, subject)),
      status: isBanned ? 'suspended' : undefined,
      suspendedReason: isBanned ? 'Banned at Supabase' : undefined,
      leftOut: user.deleted_at ? 'deleted' : user.is_anonymous ? 'anonymous' : undefined,
    };
  });
}

/** Returns the secret of the authenticator app, unless the project encrypts it. */
function totpOf({ id, mfa_factors: factors }, note) {
  const secret = (factors ?? []).find(({ factor_type: type }) => type === 'totp')?.secret;
  if (secret === undefined || /^[A-Z2-7]+=*$/.test(secret)) return secret;
  note(`${id}: the secret of the authenticator app is encrypted`);
  return undefined;
}
