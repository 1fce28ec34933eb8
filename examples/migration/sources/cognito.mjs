import { readJson } from './shared.mjs';

/** `cognito users.json`: the output of `aws cognito-idp list-users --user-pool-id …`. Cognito exports no password hashes and no factors. */
export function cognito([file], { link, active }) {
  return readJson(file).Users.map(({ Username, Attributes, Enabled, UserStatus }) => {
    const of = Object.fromEntries(Attributes.map(({ Name, Value }) => [Name, Value]));
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
      identities: JSON.parse(of.identities ?? '[]').map(({ providerName, userId }) => link(providerName, userId)),
      status: Enabled ? active(UserStatus === 'CONFIRMED') : 'suspended',
      suspendedReason: Enabled ? undefined : 'Disabled at Cognito',
      leftOut: UserStatus === 'ARCHIVED' ? 'archived' : undefined,
    };
  });
}
