import { DomainError } from '#platform/common';

/** The provider can't be reached, or its discovery document is invalid: 503. */
export class IdentityProviderUnavailable extends DomainError {
  readonly code = 'identity_provider_unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 30;
  constructor() {
    super("The identity provider can't be used at the moment. Try again later, or sign in another way.");
  }
}

/** The state is unknown, used or expired: 401. The error doesn't reveal the reason. */
export class OidcStateInvalid extends DomainError {
  readonly code = 'oidc_state_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super(
      'This sign-in is no longer valid: it was completed, took longer than ten minutes, or was started elsewhere. Sign in again.',
    );
  }
}

/** The provider or the person refused the sign-in: 401. `error` is the error code from the provider (RFC 6749, section 4.1.2.1). */
export class IdentityProviderRefused extends DomainError {
  readonly code = 'identity_provider_refused';
  readonly kind = 'unauthenticated';
  constructor(error: string) {
    super(`The identity provider did not sign you in${/^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''}. Sign in again.`);
  }
}

/** The response of the provider is invalid: 401. Only the log contains the reason. */
export class IdentityProviderAnswerInvalid extends DomainError {
  readonly code = 'identity_provider_answer_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super(
      'The response of the identity provider could not be verified. Sign in again. If the sign-in fails again, contact an administrator.',
    );
  }
}

/** The user would have no way to sign in: 409. */
export class SignInMethodNeeded extends DomainError {
  readonly code = 'sign_in_method_needed';
  readonly kind = 'conflict';
  constructor() {
    super('The linked identity is your only way to sign in. Set a password or add a passkey before you unlink the identity.');
  }
}

/** The account at GitHub has no verified email address: 403. */
export class VerifiedEmailMissing extends DomainError {
  readonly code = 'verified_email_missing';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Your account at GitHub has no verified email address. Verify an email address in the settings of your GitHub account, then sign in again.',
    );
  }
}

/** The email address of the account is not verified yet: 403. */
export class EmailNotConfirmed extends DomainError {
  readonly code = 'email_not_confirmed';
  readonly kind = 'forbidden';
  constructor() {
    super('Your email address is not confirmed yet. Open the link in the email that was sent to it, then sign in again.');
  }
}

/** No user is linked to the identity, and none can be linked or registered: 403. */
export class AccountNotLinked extends DomainError {
  readonly code = 'account_not_linked';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'No user of this organization is linked to this account at the identity provider. Ask an administrator for an invitation.',
    );
  }
}
