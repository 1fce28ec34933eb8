import { hasSecondFactor } from '#platform/common';
import { MFA_METHODS } from '#directory/organizations';
import type { ActiveSession } from '#identity/session-access';
import type { InteractionResult, Payload } from './library.js';

/** Authentication context classes (`acr`): a single factor, and several factors. */
export const ACR_VALUES = ['aal1', 'aal2'];

/** A passkey verifies the user, too. */
const SECOND_FACTORS = [...MFA_METHODS, 'passkey'];

export const acrOf = (methods: readonly string[]): string => (hasSecondFactor(methods, SECOND_FACTORS) ? 'aal2' : 'aal1');

/** Returns whether a request names acceptable classes, and the session has none of them (RFC 9470). More factors satisfy a request for one. */
export function lacksAcr(acrValues: string | undefined, acr: string | undefined): boolean {
  const wanted = (acrValues ?? '').split(' ').filter((value) => ACR_VALUES.includes(value));
  return wanted.length > 0 && !wanted.includes(acr ?? '') && !(wanted.includes('aal1') && acr === 'aal2');
}

/**
 * Returns the session of this service as a session of the library, which so has no sessions of its own. A session that can only add a
 * factor, or whose organization is suspended, counts as none.
 */
export function sessionPayload(active: ActiveSession | null, id: string): Payload | undefined {
  if (!active || active.session.id !== id || !isUsable(active)) return undefined;
  const { session } = active;
  return {
    kind: 'Session',
    jti: session.id,
    uid: session.id,
    accountId: session.userId,
    loginTs: Math.floor(session.authenticatedAt.getTime() / 1_000),
    amr: [...session.authenticationMethods],
    acr: acrOf(session.authenticationMethods),
    iat: Math.floor(session.createdAt.getTime() / 1_000),
    exp: Math.floor(session.expiresAt.getTime() / 1_000),
  };
}

export const isUsable = ({ enrolmentOnly, user }: ActiveSession): boolean => !enrolmentOnly && !user.suspended;

/** Returns the answer to the question who the user is. Without all fields, the library would forget how the user authenticated. */
export const loginOf = ({ session }: ActiveSession): NonNullable<InteractionResult['login']> => ({
  accountId: session.userId,
  ts: Math.floor(session.authenticatedAt.getTime() / 1_000),
  amr: [...session.authenticationMethods],
  acr: acrOf(session.authenticationMethods),
});
