import { type Authorization, authorized, type Effect } from './authorization.js';

interface Unneeded {
  readonly effects: readonly Effect[];
  readonly why: string;
}

/**
 * Why a change of power needs no authorization by the caller (`unneeded`). `docs/security/authorizations.md` lists them with the places
 * that use them (`test/contract/reference-pages.ts`).
 */
export const UNNEEDED = {
  default_role_replaced: {
    effects: ['policy'],
    why: 'A role that is deleted is also replaced as default role. The deletion was authorized for the replacement.',
  },
  break_glass_ended: {
    effects: ['loss'],
    why: 'Break-glass access was denied, is over, or was ended by its user or by somebody who can approve it.',
  },
  impersonation_approved: {
    effects: ['gain'],
    why: 'The user approved that somebody signs in as the user for support, in a fresh session. The start of the impersonation is authorized.',
  },
  impersonation_ended: {
    effects: ['loss'],
    why: 'An impersonation, or a request for one, was denied, is over, or was ended by the user, the impersonator or somebody who can impersonate the user.',
  },
  connection_job: {
    effects: ['gain'],
    why: 'A SCIM connection stops at its limits, or ends a job that somebody with all permissions started. It gets no power by this.',
  },
  domain_record: {
    effects: ['policy'],
    why: 'The DNS record of the domain decides, which only the owner of the domain can change. A verified domain grants nothing: trust in it needs all permissions.',
  },
  domain_untrusted: {
    effects: ['policy'],
    why: 'No identity provider is trusted for the domain, so nobody signs in because of it. Otherwise the deletion is rejected.',
  },
  group_of_the_connection: {
    effects: ['gain', 'loss'],
    why: 'The SCIM connection that manages the group decides about its members. Who lets it manage the group needs all permissions.',
  },
  group_without_roles: {
    effects: ['loss'],
    why: 'The group grants nothing.',
  },
  identity_unchanged: {
    effects: ['sign_in'],
    why: 'The import changes neither the sign-in nor the identification of the user.',
  },
  own_credential: {
    effects: ['loss'],
    why: 'A key revokes itself, a key or machine client revokes a setup link that it created, or a user revokes an own key or setup link.',
  },
  platform_client: {
    effects: ['gain', 'loss'],
    why: 'The operator of the service manages the OAuth clients of the platform with a platform key.',
  },
  platform_key: {
    effects: ['gain', 'loss'],
    why: 'The operator of the service sets or rotates platform keys with the configuration or another platform key.',
  },
  link_to_owner: {
    effects: ['sign_in'],
    why: 'The link goes to the email address of the account, so that only the owner of the address can use it. Anybody can request it.',
  },
  mailed_link: {
    effects: ['sign_in', 'loss'],
    why: 'The user used a link that was sent to the email address of the account, which proves that the user controls the address.',
  },
  new_user: {
    effects: ['sign_in'],
    why: 'The user is new, so that nobody else uses the account. The address is not confirmed: when its owner takes over the account, the access ends.',
  },
  own_account: {
    effects: ['sign_in', 'loss'],
    why: 'Signed-in users change only their own account. They confirm changes of the sign-in with the password, a factor or a recent sign-in.',
  },
  organization_purged: {
    effects: ['loss'],
    why: 'The deletion of the organization, which was authorized, removes all its rows.',
  },
  previous_password: {
    effects: ['sign_in'],
    why: 'The user had no password here and signed in with the one that the previous system confirmed. Who configured it has all permissions in the organization, and the user has permissions only there and in descendants.',
  },
  provider_still_signs_in: {
    effects: ['loss'],
    why: 'The users of the identity provider can sign in as before.',
  },
  registration: {
    effects: ['gain', 'sign_in'],
    why: 'Users register themselves where the settings or a trusted identity provider allow it, and get the default role that the organization chose for them. The account can be used only after they have proved that the email address is theirs.',
  },
  owner_check: {
    effects: ['gain', 'loss'],
    why: 'A job disables API keys whose owner lost permissions, where the organization wants this, and enables them when the owner has them again.',
  },
  role_unchanged: {
    effects: ['gain', 'loss'],
    why: 'The user keeps the same role.',
  },
  role_without_holders: {
    effects: ['gain', 'loss'],
    why: 'Nobody has the role. A new role can have only permissions of the caller, and each assignment is authorized.',
  },
  self_described_client: {
    effects: ['gain', 'loss'],
    why: 'The application described or registered itself. It can do nothing before a user allows it, and then at most what the user can do. It can end itself.',
  },
  second_person: {
    effects: ['gain'],
    why: 'A second person with the permission approved break-glass access in a fresh session. The access ends by itself, and what it grants counts for no other authorization.',
  },
  trust_unchanged: {
    effects: ['gain'],
    why: 'The identity provider is not trusted for more than before. Without trust it signs in only users who are linked to it or register with it.',
  },
  trusted_provider: {
    effects: ['sign_in'],
    why: 'The identity provider is trusted for the domain of the address, and the user has permissions only in the organization of the provider and its descendants.',
  },
  unconfirmed_access: {
    effects: ['sign_in', 'loss'],
    why: 'Another person than the owner of the email address may have set the access. It ends when the owner takes over the account with a link or a trusted identity provider, or when a SCIM connection adopts the user, which was authorized.',
  },
  user_activated: {
    effects: ['loss'],
    why: 'A pending user becomes active after a link in an email or a trusted identity provider has proved that the email address belongs to the user. Nobody loses anything.',
  },
  user_deleted_permanently: {
    effects: ['loss'],
    why: 'The deletion of the user, which was authorized, removes all rows of the user, at once or after the time in which the user can be restored.',
  },
} as const satisfies Readonly<Record<string, Unneeded>>;

type UnneededFor<E extends Effect> = {
  [Reason in keyof typeof UNNEEDED]: E extends (typeof UNNEEDED)[Reason]['effects'][number] ? Reason : never;
}[keyof typeof UNNEEDED];

/** Authorizes a change without asking. */
export const unneeded = <E extends Effect>(_reason: UnneededFor<E>): Authorization<E> => authorized();
