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

/** A caller who copies events to a destination must have the permission to read events. */
export class EventsReadRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      `A webhook sends events to its destination, so this operation also requires the permission "events:read". The caller does not have this permission. Permissions from break-glass access don't count.`,
    );
  }
}

/** The setting could lock out users with more permissions than the caller. */
export class AllPermissionsRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(setting: string) {
    super(
      `Changing ${setting} requires all permissions ("*") in the organization, because the setting applies to everyone there.`,
    );
  }
}

/** The setting stays changed when the break-glass access of the caller ends. */
export class OwnPermissionRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(setting: string, permission = 'organizations:write') {
    super(
      `Changing ${setting} requires the permission "${permission}" in the organization. Permissions from break-glass access don't count, because the change stays when the access ends.`,
    );
  }
}

/** The change could prevent the restoration of a user with more permissions than the caller. */
export class HigherPrivilegesDeleted extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'A deleted user who can be restored has this email address or externalId, and permissions that the caller does not have. Use another email address or externalId, or ask somebody who has these permissions.',
    );
  }
}

/** The change could take permissions from users with more permissions than the caller. */
export class HigherPrivilegesOutside extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Users of this organization have permissions in other organizations that the caller does not have, and would lose or get them back. Ask somebody who has these permissions.',
    );
  }
}

/** The change could take a way to sign in from users with more permissions than the caller. */
export class HigherPrivilegesLinked extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Users who sign in with this identity provider have permissions that the caller does not have, and could no longer sign in with it. Ask somebody who has these permissions.',
    );
  }
}
