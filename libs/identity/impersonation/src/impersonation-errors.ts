import { DomainError } from '#platform/common';

/** The caller can't sign in as the user, or can't decide on the request: 403. */
export class ImpersonationForbidden extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
}

/** The requester can't approve the own request: 403. */
export class SecondPersonRequired extends DomainError {
  readonly code = 'second_person_required';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'You can\'t approve or deny your own request to sign in as a user. Another user with the permission "users:impersonate" must do this.',
    );
  }
}

/** The user is pending, suspended or deleted: 409. */
export class UserNotActive extends DomainError {
  readonly code = 'user_not_active';
  readonly kind = 'conflict';
  constructor(status: string) {
    super(`You can sign in only as an active user. This user is ${status}.`);
  }
}

/** The impersonator already has a request or session for the user: 409. */
export class ImpersonationOpen extends DomainError {
  readonly code = 'impersonation_open';
  readonly kind = 'conflict';
  constructor() {
    super('You already have an open request or session for this user. End it first.');
  }
}

/** The status of the impersonation does not allow the operation: 409. */
export class ImpersonationNotOpen extends DomainError {
  readonly code = 'impersonation_not_open';
  readonly kind = 'conflict';
  constructor(status: string, required: string) {
    super(`The impersonation is ${status}, but it must be ${required} for this operation.`);
  }
}

/** The organization has changed who must approve since the request: 409. */
export class ApprovalChanged extends DomainError {
  readonly code = 'impersonation_not_open';
  readonly kind = 'conflict';
  constructor() {
    super('The organization has changed who must approve. End this request and request again.');
  }
}
