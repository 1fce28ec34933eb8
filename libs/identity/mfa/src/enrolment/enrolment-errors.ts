import { DomainError } from '#platform/common';

/** The setting `mfaMethods` of the organization does not contain the method: 422. */
export class MfaMethodNotAllowed extends DomainError {
  readonly code = 'mfa_method_not_allowed';
  readonly kind = 'rule_violated';
  constructor(allowed: readonly string[]) {
    super(`Your organization does not allow this kind of factor. Allowed: ${allowed.join(', ')}.`);
  }
}

/** Email and SMS codes require a stronger factor if the organization allows a stronger factor: 422. */
export class StrongerFactorNeeded extends DomainError {
  readonly code = 'stronger_factor_needed';
  readonly kind = 'rule_violated';
  constructor() {
    super('Email and SMS codes can be added only in addition to a stronger factor. Add an authenticator app or a passkey first.');
  }
}

/** There is no pending enrolment: 409. */
export class EnrolmentMissing extends DomainError {
  readonly code = 'mfa_enrolment_missing';
  readonly kind = 'conflict';
  constructor() {
    super(
      'There is no factor to confirm: the time limit has passed, there were too many wrong codes, or you started to add the factor in another session. Start again.',
    );
  }
}

/** The code or the response of the passkey is wrong: 422. */
export class EnrolmentNotConfirmed extends DomainError {
  readonly code = 'mfa_not_confirmed';
  readonly kind = 'rule_violated';
  constructor() {
    super('The factor could not be verified. Check the code and the clock of the device, then try again.');
  }
}

/** The factor can't be removed: 409. */
export class FactorNeeded extends DomainError {
  readonly code = 'mfa_factor_needed';
  readonly kind = 'conflict';
  constructor(reason: 'required' | 'only_restricted_left') {
    super(
      reason === 'required'
        ? 'Your organization requires multi-factor authentication, and this is your last factor. Add another one first.'
        : 'Without this factor, only email or SMS codes would remain. Remove these codes first, or add an authenticator app or another passkey.',
    );
  }
}

/** The passkey is already registered: 409. */
export class PasskeyRegistered extends DomainError {
  readonly code = 'passkey_registered';
  readonly kind = 'conflict';
  constructor() {
    super('This passkey is already registered. Use it, or choose another one.');
  }
}

/** The user has too many passkeys: 422. */
export class PasskeyLimit extends DomainError {
  readonly code = 'passkey_limit';
  readonly kind = 'rule_violated';
  constructor(limit: number) {
    super(`An account can have at most ${limit} passkeys. Remove one that you no longer use.`);
  }
}

/** The user has no factor that recovery codes could replace: 409. */
export class MfaNotEnabled extends DomainError {
  readonly code = 'mfa_not_enabled';
  readonly kind = 'conflict';
  constructor() {
    super('Your account has no factor, so it needs no recovery codes. You get recovery codes when you add the first factor.');
  }
}
