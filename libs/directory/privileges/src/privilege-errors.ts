import { DomainError } from '#platform/common';

/** The change could be a privilege escalation, because the user has permissions that the caller lacks. */
export class HigherPrivileges extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      "This user has permissions that the caller does not have, here or in another organization, so the caller can't change this user or their roles.",
    );
  }
}
