import { DomainError, ResourceNotFound } from '#platform/common';

/** Types of errors of RFC 7644, section 3.12, and RFC 9865, section 2.2. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor'
  | 'invalidCount';

const RETRY_AFTER_SECONDS = 5;

/** The request violates SCIM: 400 with the type of the error. */
export class ScimRequestInvalid extends DomainError {
  /** Errors of SCIM have a type instead of a code. */
  readonly code = 'validation_failed';
  readonly kind = 'malformed';
  constructor(
    readonly scimType: ScimType,
    detail: string,
  ) {
    super(detail);
  }
}

/** Another resource has a value that must be unique: 409. */
export class ScimUniqueness extends DomainError {
  readonly code = 'email_taken';
  readonly kind = 'conflict';
  readonly scimType = 'uniqueness';
  constructor(detail: string) {
    super(detail);
  }
}

/** The user or group does not exist, or another connection manages it: 404. */
export class ScimResourceNotFound extends ResourceNotFound {
  constructor(type: 'User' | 'Group', id: string) {
    super(type === 'User' ? 'user' : 'group', id);
    this.message = `The ${type} "${id.slice(0, 80)}" does not exist, or this connection does not manage it.`;
  }
}

/** The resource has changed since the version in `If-Match`: 412. */
export class ScimVersionMismatch extends DomainError {
  readonly code = 'precondition_failed';
  readonly kind = 'precondition_failed';
  constructor(version: string) {
    super(`The resource has changed: its version is ${version}. Read it again, then repeat the request.`);
  }
}

export class ScimTooLarge extends DomainError {
  readonly code = 'content_too_large';
  readonly kind = 'too_large';
}

/** The connection has too many searches in progress: 429. */
export class ScimTooManySearches extends DomainError {
  readonly code = 'rate_limited';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super(`This connection has too many searches in progress. Try again in ${RETRY_AFTER_SECONDS} seconds.`);
  }
}

/** The search was canceled because of its time limit: 503. */
export class ScimSearchTooSlow extends DomainError {
  readonly code = 'unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor(limitSeconds: number) {
    super(
      `The search took longer than ${limitSeconds} seconds. Send fewer conditions, or a condition that uses an index: id, userName, externalId or emails.value with "eq".`,
    );
  }
}

/** The service does not map the token to a user, so there is no `/Me`: 501 (RFC 7644, section 3.11). */
export class ScimMeUnsupported extends DomainError {
  readonly code = 'not_implemented';
  readonly kind = 'not_implemented';
  constructor() {
    super('"/Me" is not supported, because a token belongs to a connection, not to a user. Use /Users.');
  }
}
