import { DomainError } from '#common';

export class EmailTaken extends DomainError {
  readonly code = 'email_taken';
  readonly kind = 'conflict';
  constructor(email: string) {
    super(`A user with the e-mail address "${email}" already exists in this tree of organizations.`);
  }
}

export class ExternalIdTaken extends DomainError {
  readonly code = 'external_id_taken';
  readonly kind = 'conflict';
  constructor(externalId: string) {
    super(`A user with the externalId "${externalId}" already exists in this tree of organizations.`);
  }
}

export class DomainNotAllowed extends DomainError {
  readonly code = 'domain_not_allowed';
  readonly kind = 'rule_violated';
  constructor(domain: string, allowed: readonly string[]) {
    super(
      `E-mail addresses at "${domain}" are not allowed here. Allowed: ${allowed.slice(0, 10).join(', ')}${allowed.length > 10 ? ' …' : ''}.`,
    );
  }
}

export class UserDeleted extends DomainError {
  readonly code = 'user_deleted';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The user "${id}" is deleted. Restore it first.`);
  }
}

export class ManagedElsewhere extends DomainError {
  readonly code = 'managed_elsewhere';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'This user is managed by another organization, and only a caller that reaches that one may change, suspend or delete it.',
    );
  }
}

export class EmailConflict extends DomainError {
  readonly code = 'email_conflict';
  readonly kind = 'conflict';
  constructor(email: string) {
    super(`The e-mail address "${email}" belongs to another user by now. Change or delete that one first.`);
  }
}

export class ExternalIdConflict extends DomainError {
  readonly code = 'external_id_conflict';
  readonly kind = 'conflict';
  constructor(externalId: string) {
    super(`The externalId "${externalId}" belongs to another user by now. Change or delete that one first.`);
  }
}

export class UserNotPending extends DomainError {
  readonly code = 'user_not_pending';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The user "${id}" is not pending, so there is nothing to be invited to.`);
  }
}

export class OwnSignIn extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super('How you sign in yourself is changed among the operations of your own account, which ask for your password.');
  }
}
