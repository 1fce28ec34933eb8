import { DomainError } from '#platform/common';

/** Deleted users free their values, but the users of deleted organizations keep them. */
const NOT_LISTED =
  'If no list shows the user, the user belongs to an organization that you have no access to, or to a deleted organization, which can be restored for 30 days.';

export class EmailTaken extends DomainError {
  readonly code = 'email_taken';
  readonly kind = 'conflict';
  constructor(email: string) {
    super(`A user with the email address "${email}" already exists in this tenant. ${NOT_LISTED}`);
  }
}

export class ExternalIdTaken extends DomainError {
  readonly code = 'external_id_taken';
  readonly kind = 'conflict';
  constructor(externalId: string) {
    super(`A user with the externalId "${externalId}" already exists in this tenant. ${NOT_LISTED}`);
  }
}

export class DomainNotAllowed extends DomainError {
  readonly code = 'domain_not_allowed';
  readonly kind = 'rule_violated';
  constructor(domain: string, allowed: readonly string[]) {
    super(
      `Email addresses at "${domain}" are not allowed in this organization. Allowed: ${allowed.slice(0, 10).join(', ')}${allowed.length > 10 ? ' …' : ''}.`,
    );
  }
}

export class UserDeleted extends DomainError {
  readonly code = 'user_deleted';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The user "${id}" is deleted. Restore the user first.`);
  }
}

export class ManagedElsewhere extends DomainError {
  readonly code = 'managed_elsewhere';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'This user is managed by another organization. Only a caller with access to that organization can change, suspend or delete the user.',
    );
  }
}

export class EmailConflict extends DomainError {
  readonly code = 'email_conflict';
  readonly kind = 'conflict';
  constructor(email: string) {
    super(
      `The email address "${email}" now belongs to another user. First change the email address of that user, or delete that user.`,
    );
  }
}

export class ExternalIdConflict extends DomainError {
  readonly code = 'external_id_conflict';
  readonly kind = 'conflict';
  constructor(externalId: string) {
    super(
      `The externalId "${externalId}" now belongs to another user. First change the externalId of that user, or delete that user.`,
    );
  }
}

export class UserNotPending extends DomainError {
  readonly code = 'user_not_pending';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The user "${id}" is not pending, so no invitation can be sent.`);
  }
}

export class CurrentUserSignIn extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      "You can't change your own sign-in with this operation. Use the operations for your own account, which require your password.",
    );
  }
}
