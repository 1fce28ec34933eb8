import { DomainError, type RequestOrigin, scopeFor } from '#platform/common';

/** The request has no valid credential: 401. */
export class Unauthenticated extends DomainError {
  readonly code = 'unauthenticated';
  readonly kind = 'unauthenticated';
}

/** The access token is bound to a key, and the request does not prove that the client has it (RFC 9449): 401. */
export class InvalidDpopProof extends DomainError {
  readonly code = 'invalid_dpop_proof';
  readonly kind = 'unauthenticated';
  override readonly challenge = 'DPoP error="invalid_dpop_proof", algs="ES256 RS256 PS256 EdDSA Ed25519"';
  constructor(reason: string) {
    super(`The DPoP proof is missing or not valid. ${reason}`);
  }
}

/** The caller lacks a permission: 403. */
export class Forbidden extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
}

/** The access token of an application lacks a scope: 403. The application can request it (RFC 6750, section 3.1). */
export class InsufficientScope extends Forbidden {
  override readonly bearerError: string;
  constructor(permission: string) {
    super(
      `This operation requires the permission "${permission}". The access token has no such scope, or its user does not have the permission.`,
    );
    this.bearerError = `error="insufficient_scope", scope="${scopeFor(permission)}"`;
  }
}

/** The caller's organization or one of its ancestors is suspended: 403. */
export class CallerSuspended extends DomainError {
  readonly code = 'organization_suspended';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The organization of this API key or session, or one of its ancestors, is suspended. The credential works again after the organization is activated. Until then, you can use it only to sign out or to activate the organization.',
    );
  }
}

/** The organization requires MFA, and the session has no factor that the organization allows: 403. */
export class MfaRequired extends DomainError {
  readonly code = 'mfa_required';
  readonly kind = 'forbidden';
  constructor() {
    super('This organization requires multi-factor authentication. Sign in again with a method that it allows.');
  }
}

/** The session can only be used to add an MFA factor: 403. */
export class MfaEnrolmentRequired extends DomainError {
  readonly code = 'mfa_enrolment_required';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The organization that you signed in to, or the organization that manages you, requires multi-factor authentication. Add a factor that the organization allows, or sign in again with an allowed factor.',
    );
  }
}

/** The API key or the organization does not allow requests from this address: 403. */
export class NetworkNotAllowed extends DomainError {
  readonly code = 'network_not_allowed';
  readonly kind = 'forbidden';
  constructor(problem: string, { ipAddress, isProxyAddress }: RequestOrigin, advice: string) {
    const address = isProxyAddress ? undefined : ipAddress;
    super(`${problem} from the address ${address ?? 'of this request'}. ${advice}`);
  }
}
