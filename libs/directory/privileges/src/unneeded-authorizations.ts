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
  organization_purged: {
    effects: ['loss'],
    why: 'The deletion of the organization, which was authorized, removes all its rows.',
  },
  provider_still_signs_in: {
    effects: ['loss'],
    why: 'The users of the identity provider can sign in as before.',
  },
  registration: {
    effects: ['gain'],
    why: 'Users register themselves where the settings or a trusted identity provider allow it, and get the default role that the organization chose for them.',
  },
  role_unchanged: {
    effects: ['gain', 'loss'],
    why: 'The user keeps the same role.',
  },
  role_without_holders: {
    effects: ['loss'],
    why: 'Nobody has the role.',
  },
  user_deleted_permanently: {
    effects: ['loss'],
    why: 'The deletion of the user, which was authorized, removes all rows of the user.',
  },
} as const satisfies Readonly<Record<string, Unneeded>>;

type UnneededFor<E extends Effect> = {
  [Reason in keyof typeof UNNEEDED]: E extends (typeof UNNEEDED)[Reason]['effects'][number] ? Reason : never;
}[keyof typeof UNNEEDED];

/** Authorizes a change without asking. */
export const unneeded = <E extends Effect>(_reason: UnneededFor<E>): Authorization<E> => authorized();
