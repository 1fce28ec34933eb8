// Converts exports of other systems to the format of POST /v1/organizations/:org/users/import. Needs `npm install csv-parse`
// (for Clerk). The files in `sources` say which file each system exports.
//   node examples/migration/convert.mjs auth0 users.ndjson passwords.ndjson --provider google-oauth2=Google > import.ndjson
import { parseArgs } from 'node:util';
import { auth0 } from './sources/auth0.mjs';
import { betterAuth } from './sources/better-auth.mjs';
import { clerk } from './sources/clerk.mjs';
import { cognito } from './sources/cognito.mjs';
import { firebase } from './sources/firebase.mjs';
import { keycloak } from './sources/keycloak.mjs';
import { okta } from './sources/okta.mjs';
import { supabase } from './sources/supabase.mjs';
import { workos } from './sources/workos.mjs';
import { zitadel } from './sources/zitadel.mjs';

/** Each function returns the organizations and users of one system with the fields of this service. `leftOut` is the reason not to import a user. */
const SOURCES = { auth0, 'better-auth': betterAuth, clerk, cognito, firebase, keycloak, okta, supabase, workos, zitadel };
/** Other systems export any number of files, such as the pages of a list. */
const MOST_FILES = { auth0: 2, 'better-auth': 1, clerk: 1, firebase: 2, zitadel: 1 };

const { values, source, files } = readParameters();
const names = new Map(values.provider.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
const unlinked = new Map();
const tools = {
  /** Returns the account of a user at an identity provider, or undefined if no `--provider` names the provider here. */
  link(provider, subject) {
    if (names.has(provider)) return { identityProvider: names.get(provider), subject };
    unlinked.set(provider, (unlinked.get(provider) ?? 0) + 1);
    return undefined;
  },
  /** With `--active`, users without a password hash are active: they sign in with the password of the previous system. */
  active: (canSignIn) => (values.active && canSignIn ? 'active' : undefined),
  note: (text) => console.error(text),
};

const isEmpty = (value) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

for (const { leftOut, ...user } of convert()) {
  if (user.organization) {
    console.log(JSON.stringify(user));
    continue;
  }
  if (leftOut || !user.email) {
    console.error(`Left out: ${user.externalId}, ${leftOut ?? 'no email address'}`);
    continue;
  }
  user.identities = user.identities?.filter(Boolean);
  const given = Object.entries(user).filter(([, value]) => !isEmpty(value));
  console.log(JSON.stringify(Object.fromEntries(given)));
}
for (const [provider, count] of unlinked)
  console.error(
    `Not linked: ${count} accounts at ${provider}. Name the identity provider here with --provider ${provider}=<name>.`,
  );

function readParameters() {
  const { values, positionals } = parsed();
  const [source, ...files] = positionals;
  if (!Object.hasOwn(SOURCES, source) || files.length === 0) stop(usage());
  const most = MOST_FILES[source] ?? Infinity;
  if (files.length > most) stop(`${source} has at most ${most} file${most > 1 ? 's' : ''}, not ${files.length}.`, usage());
  const incomplete = values.provider.find((pair) => !/^[^=]+=./.test(pair));
  if (incomplete !== undefined) stop(`--provider ${incomplete} has no name of an identity provider of this service.`, usage());
  return { values, source, files };
}

function parsed() {
  const options = { provider: { type: 'string', multiple: true, default: [] }, active: { type: 'boolean', default: false } };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return stop(error.message, usage());
  }
}

function convert() {
  try {
    return SOURCES[source](files, tools);
  } catch (error) {
    return stop(
      `Can't convert ${files.join(' and ')} as an export of ${source}: ${error.message}`,
      `docs/migration.md names the files that ${source} exports, and ${source}.mjs in the folder "sources" reads them.`,
    );
  }
}

function stop(...lines) {
  console.error(lines.join('\n'));
  process.exit(1);
}

function usage() {
  return `Usage: convert.mjs <${Object.keys(SOURCES).join('|')}> <file>… [--provider <theirs>=<ours>]… [--active]`;
}
