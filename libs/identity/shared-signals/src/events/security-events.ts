import type { Actor, Changes } from '#platform/common';
import type { EventData, EventPayload, EventType } from '#platform/events';
import {
  ACCOUNT_DISABLED,
  ACCOUNT_ENABLED,
  ACCOUNT_PURGED,
  CREDENTIAL_CHANGE,
  IDENTIFIER_CHANGED,
  SESSION_REVOKED,
} from './event-uris.js';

/** A security event about a user, before a receiver's format of subjects is known. */
export interface SecurityEvent {
  /** The URI of the event type. */
  readonly uri: string;
  readonly userId: string;
  /** The email address at the time of the event, if the event contains it. */
  readonly email?: string;
  readonly sessionId?: string;
  /** Whether the subject must be the email address, because it is what changed. */
  readonly isAboutEmail?: true;
  /** The members of the event besides those of all events. */
  readonly members: Readonly<Record<string, unknown>>;
}

type Payload = Pick<EventPayload, 'actor'>;
type Mapping<T extends EventType> = (data: EventData<T>, payload: Payload) => SecurityEvent | undefined;

/** Credential types of CAEP by method. CAEP has no value for codes by email. */
const CREDENTIAL_TYPES: Readonly<Record<string, string>> = { totp: 'app', sms: 'phone-sms', email: 'email' };

const REVOCATIONS: Readonly<Record<string, string>> = {
  signed_out: 'The user signed out.',
  revoked_by_user: 'The user revoked the session.',
  revoked_by_administrator: 'An administrator revoked the session.',
  user_suspended: 'The user was suspended.',
  user_deleted: 'The user was deleted.',
  password_changed: 'The password was changed.',
  password_reset: 'The password was reset.',
};

/** Returns a message for administrators, which CAEP requires of some events. */
const reason = (text: string) => ({ reason_admin: { en: text } });

/** Returns who caused the event, in the words of CAEP. An actor who acts for another user, or an API key, is an administrator. */
export function initiatingEntity(actor: Actor | undefined, userId: string): 'admin' | 'user' | 'system' {
  if (!actor || actor.type === 'system') return 'system';
  if (actor.type === 'anonymous') return 'user';
  return actor.type === 'user' && actor.id === userId && !actor.impersonator ? 'user' : 'admin';
}

const sessionRevoked: Mapping<'security.session_revoked' | 'user.logout'> = ({ userId, sessionId, reason: code }) => ({
  uri: SESSION_REVOKED,
  userId,
  sessionId,
  members: reason(REVOCATIONS[code] ?? `The session was revoked (${code}).`),
});

const credential = (userId: string, type: string, change: string, text: string): SecurityEvent => ({
  uri: CREDENTIAL_CHANGE,
  userId,
  members: { credential_type: type, change_type: change, ...reason(text) },
});

const account = (uri: string, { id, email }: { id: string; email: string }, members: object = {}): SecurityEvent => ({
  uri,
  userId: id,
  email,
  members: { ...members },
});

/** Without information about the authenticator, a passkey counts as built into a device, as most passkeys are. */
const credentialType = ({ method, authenticator = 'platform' }: EventData<'user.mfa_enabled'>): string =>
  method === 'passkey' ? `fido2-${authenticator}` : (CREDENTIAL_TYPES[method] ?? method);

/** Returns the security event of an update: only changes of the email address, and restored users, are events. */
const userUpdated: Mapping<'user.updated'> = (data) => {
  // Absent if the data was redacted.
  const { email, status } = (data.changes as Changes | undefined) ?? {};
  if (status?.from === 'deleted' && status.to !== 'suspended') return account(ACCOUNT_ENABLED, data);
  if (!email || typeof email.from !== 'string') return undefined;
  const changed = account(IDENTIFIER_CHANGED, { id: data.id, email: email.from }, { 'new-value': email.to });
  return { ...changed, isAboutEmail: true };
};

const MAPPINGS = {
  'security.session_revoked': sessionRevoked,
  'user.logout': sessionRevoked,
  'user.password_changed': ({ userId, method }) =>
    method === 'invitation' || method === 'sign_up'
      ? credential(userId, 'password', 'create', 'The user set the first password.')
      : credential(userId, 'password', 'update', 'The password was changed.'),
  'user.mfa_enabled': (data) =>
    credential(data.userId, credentialType(data), 'create', `A second factor was added (${data.method}).`),
  'user.mfa_disabled': (data, { actor }) =>
    initiatingEntity(actor, data.userId) === 'user'
      ? credential(data.userId, credentialType(data), 'delete', `The user removed a second factor (${data.method}).`)
      : credential(data.userId, credentialType(data), 'revoke', `An administrator removed a second factor (${data.method}).`),
  'user.suspended': (data) =>
    data.previousStatus === 'suspended' ? undefined : account(ACCOUNT_DISABLED, data, reason('The user was suspended.')),
  'user.activated': (data) => (data.previousStatus === 'suspended' ? account(ACCOUNT_ENABLED, data) : undefined),
  'user.deleted': (data) =>
    data.permanent ? account(ACCOUNT_PURGED, data) : account(ACCOUNT_DISABLED, data, reason('The user was deleted.')),
  'user.updated': userUpdated,
} satisfies { readonly [T in EventType]?: Mapping<T> };

/** The types of events of the service that can be security events. */
export const MAPPED_TYPES = Object.keys(MAPPINGS) as (keyof typeof MAPPINGS)[];

/** Returns the security event that an event of the service is, or undefined if it is none or its data was redacted. */
export function securityEventOf({ type, data, actor }: Pick<EventPayload, 'type' | 'data' | 'actor'>): SecurityEvent | undefined {
  const map = (MAPPINGS as Readonly<Partial<Record<EventType, Mapping<never>>>>)[type];
  const found = map?.(data as never, actor ? { actor } : {});
  return typeof found?.userId === 'string' ? found : undefined;
}
