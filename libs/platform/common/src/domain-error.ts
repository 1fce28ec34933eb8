import type { FieldProblemCode, ViolatedLimits } from './field-problem-codes.js';
import { ID_PREFIXES, type ResourceKind, type SnakeCase } from './resource-kinds.js';

/** The kind of an error. `libs/platform/http` maps the kind to a status code. */
export type ErrorKind =
  | 'malformed' // 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not_found' // 404
  | 'conflict' // 409
  | 'gone' // 410
  | 'precondition_failed' // 412
  | 'too_large' // 413
  | 'unsupported_media_type' // 415
  | 'rule_violated' // 422
  | 'rate_limited' // 429
  | 'not_implemented' // 501
  | 'unavailable'; // 503

/** A rejected field. `pointer` is a JSON Pointer into the body, or `/name` of a query or path parameter (see `in`). */
export interface FieldProblem extends ViolatedLimits {
  pointer: string;
  in?: 'body' | 'query' | 'path' | 'header';
  code: FieldProblemCode;
  message: string;
}

/** Maximum number of rejected fields in a response. */
export const MAX_FIELD_PROBLEMS = 50;

/** Returns a name as a token of a JSON Pointer (RFC 6901). */
export const jsonPointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const MAX_POINTER_LENGTH = 200;

/** Returns the pointer to a member of the value at a pointer, at most 200 characters. */
export const memberPointer = (pointer: string, name: string): string =>
  `${pointer}/${jsonPointerToken(name)}`.slice(0, MAX_POINTER_LENGTH);

/**
 * An expected error. The caller sees the message, so the message contains advice and no secret. `code` is stable, in snake_case, and has a
 * page in `docs/errors/`.
 */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  abstract readonly kind: ErrorKind;
  readonly errors?: readonly FieldProblem[];
  /** Seconds until a retry can succeed, for the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Parameters of the `WWW-Authenticate` header, for a response that a token of the same kind can't resolve. */
  readonly bearerError?: string;
  /** A further `WWW-Authenticate` header of a 401 response. */
  readonly challenge?: string;
  /** The earliest moment that a read can have. */
  readonly earliest?: Date;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The request has contradictory fields or refers to nonexistent resources: 400 with a pointer for each field, at most 50. */
export class InvalidRequest extends DomainError {
  readonly code = 'validation_failed';
  readonly kind = 'malformed';
  override readonly errors: readonly FieldProblem[];
  constructor(errors: readonly FieldProblem[]) {
    const shown = errors.slice(0, MAX_FIELD_PROBLEMS);
    super(shown.map((error) => error.message).join(' ') || 'The request is not valid.');
    this.errors = shown;
  }
}

/** Returns the problem of the body field `expiresAt` if its time is not in the future. */
export function problemsOfExpiry(expiresAt: Date | null | undefined, now: Date): FieldProblem[] {
  if (!expiresAt || expiresAt > now) return [];
  return [{ pointer: '/expiresAt', in: 'body', code: 'not_in_future', message: 'expiresAt must be in the future.' }];
}

/** @throws InvalidRequest (400) */
export function assertFutureExpiry(expiresAt: Date | null | undefined, now: Date): void {
  const problems = problemsOfExpiry(expiresAt, now);
  if (problems.length > 0) throw new InvalidRequest(problems);
}

/** The resource does not exist or the caller can't access it. The error does not reveal which of these is true. */
export class ResourceNotFound extends DomainError {
  readonly code: string;
  readonly kind = 'not_found';
  constructor(resource: SnakeCase<ResourceKind> | 'event_subscriber' | 'member' | 'mfa_factor', id: string) {
    super(
      `The ${nameOf(resource)} "${id.slice(0, 80)}" does not exist, or the caller has no access to it.${hintFor(resource, id)}`,
    );
    this.code = `${resource}_not_found`;
  }
}

const nameOf = (resource: string): string =>
  resource
    .replaceAll('_', ' ')
    .replace('break glass', 'break-glass')
    .replace(/^(?:api|mfa|scim|ssf)\b/, (acronym) => acronym.toUpperCase())
    .replace(/^oauth\b/, 'OAuth');

/** The part of an ID after the prefix (TypeID): a UUID in the base32 of Crockford. */
const ID_SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Resources that paths also find by another name than their ID. */
const FOUND_BY_NAME = new Set(['organization', 'role']);

/** Returns a sentence about an ID that can't be right, whatever exists. It depends only on the text that the caller sent. */
function hintFor(resource: string, id: string): string {
  const sought = resource === 'member' ? 'user' : resource;
  if (sought === 'user' && id.includes('@'))
    return ' Users are found by id, not by email address. GET /v1/organizations/{org}/users?email={email} returns the user with the id.';
  const prefixes = Object.entries(ID_PREFIXES).map(([kind, prefix]) => [snakeCase(kind), `${prefix}_`] as const);
  const [kind, prefix] = prefixes.find(([, prefix]) => id.startsWith(prefix)) ?? [];
  if (prefix !== undefined && kind !== sought)
    return ` "${prefix}" begins the ids of another kind of resource: ${nameOf(kind!)}.`;
  if (prefix !== undefined) return ID_SUFFIX.test(id.slice(prefix.length)) ? '' : ' The id is not complete. Copy the whole id.';
  const own = prefixes.find(([kind]) => kind === sought)?.[1];
  return own === undefined || FOUND_BY_NAME.has(sought) ? '' : ` Its id begins with "${own}".`;
}

const snakeCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The caller grants permissions that the caller lacks. */
export class GrantBeyondOwn extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(what: string, missing: readonly string[]) {
    super(
      `${what} has permissions that the caller does not have and can't grant: ${missing.join(', ')}. Permissions from break-glass access don't count.`,
    );
  }
}

/** The session requires reauthentication: 401 with the parameters of RFC 9470. */
export class ReauthenticationRequired extends DomainError {
  readonly code = 'reauthentication_required';
  readonly kind = 'unauthenticated';
  override readonly bearerError: string;
  constructor(maxAgeSeconds: number, { signInCounts }: { readonly signInCounts: boolean }) {
    super(
      signInCounts
        ? `For this operation, you must have signed in or confirmed your identity in the last ${maxAgeSeconds / 60} minutes. Call POST /v1/auth/reauthentication or sign in again, then repeat the request.`
        : `For this operation, you must have confirmed your identity in the last ${maxAgeSeconds / 60} minutes. Call POST /v1/auth/reauthentication, then repeat the request.`,
    );
    this.bearerError = `error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`;
  }
}
