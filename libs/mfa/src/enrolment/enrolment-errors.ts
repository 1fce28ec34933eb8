import { DomainError } from '#common';

/** The organization's `mfaMethods` does not list the method: 422. */
export class MfaMethodNotAllowed extends DomainError {
  readonly code = 'mfa_method_not_allowed';
  readonly kind = 'rule_violated';
  constructor(allowed: readonly string[]) {
    super(`Your organization does not allow this kind of second factor. Allowed: ${allowed.join(', ')}.`);
  }
}

/** Codes by mail and SMS are weak and stand only beside a stronger factor, where the organization allows one: 422. */
export class StrongerFactorNeeded extends DomainError {
  readonly code = 'stronger_factor_needed';
  readonly kind = 'rule_violated';
  constructor() {
    super('Codes by e-mail or SMS can be added beside a stronger second factor. Add an authenticator app or a passkey first.');
  }
}

/** There is nothing (any more) that could be confirmed: 409. */
export class EnrolmentMissing extends DomainError {
  readonly code = 'mfa_enrolment_missing';
  readonly kind = 'conflict';
  constructor() {
    super(
      'There is nothing to confirm: it took longer than ten minutes, had too many wrong codes, or was begun in another session. Begin again.',
    );
  }
}

/** The code, or the passkey's answer, does not confirm the factor: 422. */
export class EnrolmentNotConfirmed extends DomainError {
  readonly code = 'mfa_not_confirmed';
  readonly kind = 'rule_violated';
  constructor() {
    super('That did not prove that the factor works. Check the code (and the clock of the device), and try again.');
  }
}

/** The factor can't go: 409. */
export class FactorNeeded extends DomainError {
  readonly code = 'mfa_factor_needed';
  readonly kind = 'conflict';
  constructor(why: 'required' | 'only_restricted_left') {
    super(
      why === 'required'
        ? 'Your organization requires a second factor, and this is your last one. Add another one first.'
        : 'Without this factor only codes by e-mail or SMS would be left. Remove those first, or add another authenticator app or passkey.',
    );
  }
}

/** The passkey is registered already: 409. */
export class PasskeyRegistered extends DomainError {
  readonly code = 'passkey_registered';
  readonly kind = 'conflict';
  constructor() {
    super('This passkey is registered already.');
  }
}

/** More factors than anybody needs: 422. */
export class PasskeyLimit extends DomainError {
  readonly code = 'passkey_limit';
  readonly kind = 'rule_violated';
  constructor(limit: number) {
    super(`An account has at most ${limit} passkeys. Remove one that you no longer use.`);
  }
}

/** Recovery codes stand in for a factor, and the user has none: 409. */
export class MfaNotEnabled extends DomainError {
  readonly code = 'mfa_not_enabled';
  readonly kind = 'conflict';
  constructor() {
    super('You have no second factor that recovery codes could stand in for. Add one: codes come with it.');
  }
}
