import { DomainError, type FieldProblem, MAX_FIELD_PROBLEMS } from '#platform/common';
import { ORGANIZATIONS_MAX } from './configuration.requests.js';

/** The configuration changed after the plan: 409. */
export class ConfigurationChanged extends DomainError {
  readonly code = 'configuration_changed';
  readonly kind = 'conflict';
  constructor() {
    super('The configuration has changed since the plan. Make a new plan, check it, and apply it.');
  }
}

/** The plan has problems: 422. Nothing was changed. */
export class ConfigurationRejected extends DomainError {
  readonly code = 'configuration_rejected';
  readonly kind = 'rule_violated';
  override readonly errors: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    const shown = problems.slice(0, MAX_FIELD_PROBLEMS);
    super(`Nothing was changed, because changes would fail: ${shown.map(({ message }) => message).join(' ')}`);
    this.errors = shown;
  }
}

/** The organization has too many descendants for one document: 422. */
export class ConfigurationTooLarge extends DomainError {
  readonly code = 'configuration_too_large';
  readonly kind = 'rule_violated';
  constructor() {
    super(
      `A configuration has at most ${ORGANIZATIONS_MAX} organizations. Use the configuration of child organizations instead.`,
    );
  }
}
