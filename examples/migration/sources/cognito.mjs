import { readJson } from './shared.mjs';

/**
 * `cognito users.json…`: the output of `aws cognito-idp list-users --user-pool-id …`. Cognito exports no password hashes and no factors.
 * Names of fields and statuses: ListUsersResponse, UserType and UserStatusType in data/cognito-idp/2016-04-18 of botocore 1.44.
 */
export function cognito(files, { link, active }) {
  const users = files.flatMap((file) => readJson(file).Users.map(withAttributes));
  const isNative = ({ UserStatus }) => UserStatus !== 'EXTERNAL_PROVIDER';
  const linked = new Set(users.filter(isNative).flatMap(({ accounts }) => accounts.map(keyOf)));
  return users.map((user) => {
    const { Username, Enabled, UserStatus, of, accounts } = user;
    const leftOut = reasonToLeaveOut(user, !isNative(user) && accounts.some((account) => linked.has(keyOf(account))));
    if (leftOut) return { externalId: of.sub ?? Username, leftOut };
    const custom = Object.entries(of).filter(([name]) => name.startsWith('custom:'));
    return {
      externalId: of.sub ?? Username,
      email: of.email,
      emailVerified: of.email_verified === 'true',
      firstName: of.given_name,
      lastName: of.family_name,
      displayName: of.name,
      phoneNumber: of.phone_number,
      phoneVerified: of.phone_number_verified === 'true' || undefined,
      picture: of.picture,
      locale: of.locale?.replace('_', '-'),
      metadata: Object.fromEntries(custom.map(([name, value]) => [name.slice('custom:'.length), value])),
      identities: accounts.map(({ providerName, userId }) => link(providerName, userId)),
      status: Enabled === false ? 'suspended' : active(UserStatus === 'CONFIRMED'),
      suspendedReason: Enabled === false ? 'Disabled at Cognito' : undefined,
    };
  });
}

function withAttributes({ Attributes = [], ...user }) {
  const of = Object.fromEntries(Attributes.map(({ Name, Value }) => [Name, Value]));
  return { ...user, of, accounts: JSON.parse(of.identities ?? '[]') };
}

const keyOf = ({ providerName, userId }) => `${providerName} ${userId}`;

/** `AdminLinkProviderForUser` keeps the user that a sign-in with the provider created before, beside the user to whom it is linked. */
function reasonToLeaveOut({ UserStatus }, isLinked) {
  if (UserStatus === 'ARCHIVED') return 'archived';
  return isLinked ? 'linked to another user' : undefined;
}
