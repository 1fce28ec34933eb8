import { Injectable } from '@nestjs/common';
import type { Actor, Caller, RequestSession } from '#common';

/** Who a credential belongs to. */
export interface AuthenticatedCaller {
  readonly caller: Caller;
  readonly actor: Actor;
  /** Only of a signed-in user. */
  readonly session?: RequestSession;
}

/** Knows one kind of credential. */
export interface CredentialAuthenticator {
  /**
   * Whom the bearer token belongs to; null when it is none of this kind.
   * @throws Unauthenticated when it is of this kind but unknown, expired or revoked.
   */
  authenticate(token: string): Promise<AuthenticatedCaller | null>;
}

/** The kinds of credentials there are: libs that know one register it when the module starts. The access guard asks each in turn. */
@Injectable()
export class CredentialAuthenticators {
  private readonly authenticators: CredentialAuthenticator[] = [];

  register(authenticator: CredentialAuthenticator): void {
    this.authenticators.push(authenticator);
  }

  /** Whom the bearer token belongs to; null when no kind of credential knows it. @throws Unauthenticated */
  async authenticate(token: string): Promise<AuthenticatedCaller | null> {
    for (const authenticator of this.authenticators) {
      const authenticated = await authenticator.authenticate(token);
      if (authenticated) return authenticated;
    }
    return null;
  }
}
