import { readJson } from './shared.mjs';

/** `workos users.json…`: the pages of `GET /user_management/users`. WorkOS exports no password hashes. */
export function workos(files, { active }) {
  const users = files.flatMap((file) => readJson(file).data);
  return users.map((user) => ({
    externalId: user.external_id ?? user.id,
    email: user.email,
    emailVerified: user.email_verified,
    firstName: user.first_name,
    lastName: user.last_name,
    picture: user.profile_picture_url,
    metadata: user.metadata,
    status: active(true),
  }));
}
