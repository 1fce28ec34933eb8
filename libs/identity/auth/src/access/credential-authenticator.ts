import { Injectable } from '@nestjs/common';
import type { Actor, Caller, OperatorSession, RequestSession } from '#platform/common';

/** Who a credential belongs to. */
export interface AuthenticatedCaller {
  readonly caller: Caller;
  readonly actor: Actor;
  /** Only of a signed-in user. */
  readonly session?: RequestSession;
  /** Only of an operator. */
  readonly operatorSession?: OperatorSession;
}

/** How a credential comes: in the `Authorization` header, or in the session cookie of a browser. */
export type CredentialTransport = 'bearer' | 'cookie';

/** Knows one kind of credential. */
export interface CredentialAuthenticator {
  /** How it may come; what comes otherwise is none of this kind. */
  readonly transports: readonly CredentialTransport[];

  /**
   * Whom the token belongs to; null when it is none of this kind. `ipAddress` is where the request comes from.
   * @throws Unauthenticated when it is of this kind but unknown, expired or revoked.
   */
  authenticate(token: string, ipAddress?: string): Promise<AuthenticatedCaller | null>;
}

/** The kinds of credentials there are: libs that know one register it when the module starts. The access guard asks each in turn. */
@Injectable()
export class CredentialAuthenticators {
  private readonly authenticators: CredentialAuthenticator[] = [];

  register(authenticator: CredentialAuthenticator): void {
    this.authenticators.push(authenticator);
  }

  /** Whom the token belongs to; null when no kind of credential that comes this way knows it. @throws Unauthenticated */
  async authenticate(token: string, transport: CredentialTransport, ipAddress?: string): Promise<AuthenticatedCaller | null> {
    for (const authenticator of this.authenticators) {
      if (!authenticator.transports.includes(transport)) continue;
      const authenticated = await authenticator.authenticate(token, ipAddress);
      if (authenticated) return authenticated;
    }
    return null;
  }
}
