import { DomainError, type FieldProblem } from '#platform/common';
import type { PasswordViolation } from './password-policy-check.js';

/** The password violates the policy of the organization: 422, with a message for each violated rule. */
export class PasswordRefused extends DomainError {
  readonly code = 'password_refused';
  readonly kind = 'rule_violated';
  override readonly errors: readonly FieldProblem[];
  constructor(
    private readonly violations: readonly PasswordViolation[],
    pointer = '/password',
  ) {
    super(`This password can't be used. ${violations.map(({ message }) => message).join(' ')}`);
    this.errors = violations.map((violation) => ({ pointer, in: 'body', ...violation }));
  }

  /** Returns a copy of the error for a password in another request field. */
  at(pointer: string): PasswordRefused {
    return new PasswordRefused(this.violations, pointer);
  }
}
