import { DomainError } from '#platform/common';
import type { ApplicationObstacle } from './application-rule.js';

/** Maximum number of applications for which a user can wait at once in an organization. */
export const WAITING_PER_USER_MAX = 10;
/** Maximum number of users whom a decision answers. */
export const REQUESTS_PER_APPROVAL_MAX = 100;
/** Hours after a denial in which nobody can ask again. */
export const HOURS_AFTER_DENIAL = 24;

const WHAT_TO_DO: Readonly<Record<ApplicationObstacle, string>> = {
  not_allowed: 'It allows no applications that describe or register themselves in this way.',
  approval_needed: 'Ask an owner of the organization to approve the application, or sign in to it in a browser and ask there.',
  owners_only: 'Only owners of the organization can use it.',
};

/** The organization does not allow that the user uses the application: 403. */
export class ApplicationNotAllowed extends DomainError {
  readonly code = 'application_not_allowed';
  readonly kind = 'forbidden';
  constructor(obstacle: ApplicationObstacle) {
    super(`The organization does not allow this application for you. ${WHAT_TO_DO[obstacle]}`);
  }
}

/** The application needs no approval, or only owners can use it: 409. */
export class ApprovalNotNeeded extends DomainError {
  readonly code = 'application_approval_not_needed';
  readonly kind = 'conflict';
  constructor(reason: string) {
    super(reason);
  }
}

/** An owner denied the application a short time ago: 409. */
export class ApprovalDenied extends DomainError {
  readonly code = 'application_approval_denied';
  readonly kind = 'conflict';
  constructor() {
    super(
      `An owner of the organization denied this application. You can ask again ${HOURS_AFTER_DENIAL} hours after the decision.`,
    );
  }
}

/** The status of the approval does not allow the operation: 409. */
export class ApprovalNotOpen extends DomainError {
  readonly code = 'application_approval_not_open';
  readonly kind = 'conflict';
  constructor(status: string, needed: string) {
    super(`The approval of the application is ${status}. This operation needs one that is ${needed}.`);
  }
}

/** The user or the organization has too many open requests: 409. */
export class ApprovalRequestLimit extends DomainError {
  readonly code = 'application_approval_limit';
  readonly kind = 'conflict';
  constructor() {
    super(
      `A user can wait for the approval of at most ${WAITING_PER_USER_MAX} applications in an organization, and at most ${REQUESTS_PER_APPROVAL_MAX} users for the same. Wait for a decision first.`,
    );
  }
}
