// Converts exports of other systems to the format of POST /v1/organizations/:org/users/import. Needs `npm install csv-parse` (for Clerk).
//   node examples/migration/convert.mjs auth0 users.ndjson passwords.ndjson > import.ndjson
//   node examples/migration/convert.mjs clerk users.csv > import.ndjson
//   node examples/migration/convert.mjs keycloak realm.json > import.ndjson
//   node examples/migration/convert.mjs workos users.json > import.ndjson
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

const [source, file, passwordsFile] = process.argv.slice(2);
const read = (path) => readFileSync(path, 'utf8');
const readLines = (path) => read(path).split('\n').filter(Boolean).map(JSON.parse);

/** Each function returns the users of one system with the fields of this service. `leftOut` is the reason not to import a user. */
const SOURCES = { auth0, clerk, keycloak, workos };

function auth0() {
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
    leftOut: user.blocked ? 'blocked' : undefined,
  }));
}

function clerk() {
  return parse(read(file), { columns: true }).map((user) => ({
    externalId: user.id,
    email: user.primary_email_address,
    emailVerified: user.verified_email_addresses.split(/[\s,|;]+/).includes(user.primary_email_address),
    firstName: user.first_name,
    lastName: user.last_name,
    displayName: user.username,
    phoneNumber: user.primary_phone_number,
    passwordHash: user.password_digest,
  }));
}

function keycloak() {
  return JSON.parse(read(file)).users.map((user) => ({
    externalId: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    firstName: user.firstName,
    lastName: user.lastName,
    displayName: user.username,
    metadata: user.attributes,
    passwordHash: keycloakHash(user.credentials?.find(({ type }) => type === 'password')),
    leftOut: user.enabled ? undefined : 'disabled',
  }));
}

function keycloakHash(credential) {
  if (!credential) return undefined;
  const { algorithm, hashIterations: rounds, additionalParameters: more = {} } = JSON.parse(credential.credentialData);
  const { salt, value } = JSON.parse(credential.secretData);
  if (algorithm !== 'argon2') return `$${algorithm === 'pbkdf2' ? 'pbkdf2-sha1' : algorithm}$i=${rounds}$${salt}$${value}`;
  const unpadded = (base64) => base64.replace(/={0,2}$/, '');
  const parameters = `m=${more.memory[0]},t=${rounds},p=${more.parallelism[0]}`;
  return `$argon2${more.type[0]}$v=19$${parameters}$${unpadded(salt)}$${unpadded(value)}`;
}

/** WorkOS exports no password hashes. */
function workos() {
  return JSON.parse(read(file)).data.map((user) => ({
    externalId: user.external_id ?? user.id,
    email: user.email,
    emailVerified: user.email_verified,
    firstName: user.first_name,
    lastName: user.last_name,
    picture: user.profile_picture_url,
    metadata: user.metadata,
  }));
}

if (!SOURCES[source] || !file) {
  console.error(`Usage: convert.mjs <${Object.keys(SOURCES).join('|')}> <file>`);
  process.exit(1);
}
for (const { leftOut, ...user } of SOURCES[source]()) {
  if (leftOut || !user.email) {
    console.error(`Left out: ${user.externalId}, ${leftOut ?? 'no email address'}`);
    continue;
  }
  const given = Object.entries(user).filter(([, value]) => value !== undefined && value !== null && value !== '');
  console.log(JSON.stringify(Object.fromEntries(given)));
}
