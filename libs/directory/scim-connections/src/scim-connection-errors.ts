import { DomainError } from '#platform/common';

/** Maximum number of connections of an organization. */
export const CONNECTIONS_PER_ORGANIZATION_MAX = 100;
/** Maximum number of tokens of a connection that are not revoked. */
export const TOKENS_PER_CONNECTION_MAX = 10;

export class ScimConnectionLimit extends DomainError {
  readonly code = 'scim_connection_limit';
  readonly kind = 'conflict';
  constructor() {
    super(
      `An organization can have at most ${CONNECTIONS_PER_ORGANIZATION_MAX} SCIM connections. Delete one that is no longer needed.`,
    );
  }
}

export class ScimTokenLimit extends DomainError {
  readonly code = 'scim_token_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`A SCIM connection can have at most ${TOKENS_PER_CONNECTION_MAX} tokens. Revoke one that is no longer needed.`);
  }
}

export class ScimTokenAlreadyRotated extends DomainError {
  readonly code = 'scim_token_already_rotated';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The token "${id}" was already rotated. Rotate its successor instead.`);
  }
}

/** A connection provisions the resource, so only the connection can change it: 409. */
export class ManagedByScim extends DomainError {
  readonly code = 'managed_by_scim';
  readonly kind = 'conflict';
  constructor(resource: 'user' | 'group', { id, name }: { readonly id: string; readonly name: string }) {
    super(
      `The SCIM connection "${name}" (${id}) manages this ${resource}. Change the ${resource} in the directory of the connection, or set "allowLocalChanges" of the connection.`,
    );
  }
}

/** A limit stopped the connection, or a background job changes its users: 503 for the directory, which retries. */
export class ScimConnectionStopped extends DomainError {
  readonly code = 'scim_connection_stopped';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 600;
  constructor() {
    super(
      'This SCIM connection does not accept changes. It was stopped because it would have suspended or deleted more users than its limits allow, or its users are being restored or applied. An owner of the organization can activate it or roll it back.',
    );
  }
}

export class ScimConnectionBusy extends DomainError {
  readonly code = 'scim_connection_busy';
  readonly kind = 'conflict';
  constructor({ mode }: { readonly mode: string }) {
    super(`The SCIM connection is busy (${mode}). Wait until it has another mode.`);
  }
}

export class ScimConnectionNotStopped extends DomainError {
  readonly code = 'scim_connection_not_stopped';
  readonly kind = 'conflict';
  constructor({ mode }: { readonly mode: string }) {
    super(
      `Only a SCIM connection that its limits stopped can be rolled back: while it is stopped or in preview, or active for less than a day after the stop. This one is ${mode}.`,
    );
  }
}

/** A deleted user can't be restored, because another user of the connection has the userName: 409. */
export class UserNameConflict extends DomainError {
  readonly code = 'user_name_conflict';
  readonly kind = 'conflict';
  constructor() {
    super(
      'Another user of the SCIM connection now has the userName of this user. First change the userName of that user in the directory, or delete that user.',
    );
  }
}
