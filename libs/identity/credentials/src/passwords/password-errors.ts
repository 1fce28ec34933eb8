import { DomainError, type FieldProblem } from '#platform/common';
import type { PasswordViolation } from './password-policy-check.js';

/** The policy of the organization does not allow the password: 422, with a message for each broken rule. */
export class PasswordRefused extends DomainError {
  readonly code = 'password_refused';
  readonly kind = 'rule_violated';
  override readonly errors: readonly FieldProblem[];
  constructor(
    private readonly violations: readonly PasswordViolation[],
    pointer = '/password',
  ) {
    super(`This password can't be used. ${violations.map(({ message }) => message).join(' ')}`);
    this.errors = violations.map(({ code, message }) => ({ pointer, in: 'body', code, message }));
  }

  /** Returns the same error for a password in another field of the request. */
  at(pointer: string): PasswordRefused {
    return new PasswordRefused(this.violations, pointer);
  }
}
