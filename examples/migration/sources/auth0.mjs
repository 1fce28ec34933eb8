import { readLines } from './shared.mjs';

/** `auth0 users.ndjson passwords.ndjson`: a job `users-exports`, and the file with password hashes from the support. */
export function auth0([file, passwordsFile], { link, active }) {
  const hashes = new Map(
    (passwordsFile ? readLines(passwordsFile) : []).map(({ _id, alt_id: ownId, passwordHash }) => [
      `auth0|${ownId ?? _id.$oid}`,
      passwordHash,
    ]),
  );
  return readLines(file).map((user) => ({
    externalId: user.user_id,
    email: user.email,
    emailVerified: user.email_verified,
    firstName: user.given_name,
    lastName: user.family_name,
    displayName: user.name === user.email ? undefined : user.name,
    picture: user.picture,
    // Kept apart: users can edit user_metadata, but not app_metadata.
    metadata: { user_metadata: user.user_metadata, app_metadata: user.app_metadata },
    passwordHash: hashes.get(user.user_id),
    // The database of Auth0 itself is also an identity.
    identities: (user.identities ?? [])
      .filter(({ provider }) => provider !== 'auth0')
      .map(({ connection, user_id: subject }) => link(connection, String(subject))),
    status: user.blocked ? 'suspended' : active(user.user_id.startsWith('auth0|')),
    suspendedReason: user.blocked ? 'Blocked at Auth0' : undefined,
  }));
}
