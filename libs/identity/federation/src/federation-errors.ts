import { DomainError } from '#platform/common';

/** The provider does not answer, may not be connected to, or describes itself wrongly: 503. */
export class IdentityProviderUnavailable extends DomainError {
  readonly code = 'identity_provider_unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 30;
  constructor() {
    super("The identity provider can't be used at the moment. Try again later, or sign in another way.");
  }
}

/** The one answer to a state that opens nothing: 401. */
export class OidcStateInvalid extends DomainError {
  readonly code = 'oidc_state_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super(
      'This sign-in is no longer valid: it was completed, took longer than ten minutes, or was started elsewhere. Sign in again.',
    );
  }
}

/** The provider refused, or the person did: 401. `error` is the provider's word for it (RFC 6749, section 4.1.2.1). */
export class IdentityProviderRefused extends DomainError {
  readonly code = 'identity_provider_refused';
  readonly kind = 'unauthenticated';
  constructor(error: string) {
    super(`The identity provider did not sign you in${/^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''}. Sign in again.`);
  }
}

/** What the provider answered does not hold: 401. Which check failed is told to the operator's log alone. */
export class IdentityProviderAnswerInvalid extends DomainError {
  readonly code = 'identity_provider_answer_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super(
      'The response of the identity provider could not be verified. Sign in again. If the sign-in fails again, contact an administrator.',
    );
  }
}

/** The user would have no way to sign in any more: 409. */
export class SignInMethodNeeded extends DomainError {
  readonly code = 'sign_in_method_needed';
  readonly kind = 'conflict';
  constructor() {
    super('The linked identity is your only way to sign in. Set a password or add a passkey before you unlink the identity.');
  }
}

/** The account waits until its address is proven: 403. */
export class EmailNotConfirmed extends DomainError {
  readonly code = 'email_not_confirmed';
  readonly kind = 'forbidden';
  constructor() {
    super('Your email address is not confirmed yet. Open the link in the email that was sent to it, then sign in again.');
  }
}

/** Nobody here is linked to the account, and it can't be linked nor made: 403. */
export class AccountNotLinked extends DomainError {
  readonly code = 'account_not_linked';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'No user of this organization is linked to this account at the identity provider. Ask an administrator for an invitation.',
    );
  }
}
