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
  connection_job: {
    effects: ['gain'],
    why: 'A SCIM connection stops at its limits, or ends a job that somebody with all permissions started. It gets no power by this.',
  },
  group_of_the_connection: {
    effects: ['gain', 'loss'],
    why: 'The SCIM connection that manages the group decides about its members. Who lets it manage the group needs all permissions.',
  },
  group_without_roles: {
    effects: ['loss'],
    why: 'The group grants nothing.',
  },
  own_api_key: {
    effects: ['loss'],
    why: 'A key revokes itself, or its owner revokes it.',
  },
  platform_client: {
    effects: ['gain', 'loss'],
    why: 'The operator of the service manages the OAuth clients of the platform with a platform key.',
  },
  platform_key: {
    effects: ['gain'],
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
  provider_still_signs_in: {
    effects: ['loss'],
    why: 'The users of the identity provider can sign in as before.',
  },
  registration: {
    effects: ['gain', 'sign_in'],
    why: 'Users register themselves where the settings or a trusted identity provider allow it, and get the default role that the organization chose for them. The account can be used only after they have proved that the email address is theirs.',
  },
  role_unchanged: {
    effects: ['gain', 'loss'],
    why: 'The user keeps the same role.',
  },
  role_without_holders: {
    effects: ['loss'],
    why: 'Nobody has the role.',
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
