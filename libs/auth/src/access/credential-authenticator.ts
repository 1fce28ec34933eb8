import type { Actor, Caller } from '#common';

/** Who a credential belongs to. */
export interface AuthenticatedCaller {
  readonly caller: Caller;
  readonly actor: Actor;
}

/** Knows one kind of credential. The access guard asks each in turn. */
export interface CredentialAuthenticator {
  /**
   * Whom the bearer token belongs to; null when it is none of this kind.
   * @throws Unauthenticated when it is of this kind but unknown, expired or revoked.
   */
  authenticate(token: string): Promise<AuthenticatedCaller | null>;
}

/** Injection token of the list of all authenticators. */
export const CREDENTIAL_AUTHENTICATORS = Symbol('CREDENTIAL_AUTHENTICATORS');
