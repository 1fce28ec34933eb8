import { Injectable } from '@nestjs/common';
import type { Actor, Caller, Delegation, OperatorSession, RequestOrigin, RequestSession } from '#platform/common';

export interface AuthenticatedCaller {
  readonly caller: Caller;
  readonly actor: Actor;
  /** Present for a signed-in user. */
  readonly session?: RequestSession;
  /** Present for an OAuth client that acts for a user. */
  readonly delegation?: Delegation;
  /** Present for an operator. */
  readonly operatorSession?: OperatorSession;
}

/** The part of a request that contains its credential: the `Authorization` header with its scheme, or the session cookie. */
export type CredentialTransport = 'bearer' | 'dpop' | 'cookie';

/** A request with a token that is bound to a key (RFC 9449). */
export interface DpopRequest {
  /** The header `DPoP`, unless it is missing or there twice. */
  readonly proof: string | undefined;
  readonly method: string;
  /** The path of the address, without the query. */
  readonly path: string;
}

export interface CredentialAuthenticator {
  readonly transports: readonly CredentialTransport[];

  /**
   * Returns the caller of a token, or null for a token of another type.
   * @throws Unauthenticated (401) if the token is unknown, expired or revoked
   */
  authenticate(token: string, origin?: RequestOrigin, request?: DpopRequest): Promise<AuthenticatedCaller | null>;
}

/** The registry of credential types. A library registers its `CredentialAuthenticator` when its module starts. */
@Injectable()
export class CredentialAuthenticators {
  private readonly authenticators: CredentialAuthenticator[] = [];

  register(authenticator: CredentialAuthenticator): void {
    this.authenticators.push(authenticator);
  }

  /** Returns the caller of a token, or null if no credential type of the transport recognizes the token. @throws Unauthenticated (401) */
  async authenticate(
    token: string,
    transport: CredentialTransport,
    origin: RequestOrigin = {},
    request?: DpopRequest,
  ): Promise<AuthenticatedCaller | null> {
    for (const authenticator of this.authenticators) {
      if (!authenticator.transports.includes(transport)) continue;
      const authenticated = await authenticator.authenticate(token, origin, request);
      if (authenticated) return authenticated;
    }
    return null;
  }
}
