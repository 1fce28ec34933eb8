import { DomainError, type FieldProblem } from '#platform/common';
import type { PasswordViolation } from './password-policy-check.js';

/** A password that the policy of the organization does not allow: 422, with what to do about each broken rule. */
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

  /** The same about a password that stands in another field. */
  about(pointer: string): PasswordRefused {
    return new PasswordRefused(this.violations, pointer);
  }
}
