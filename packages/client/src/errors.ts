import type { ProblemCode } from './problem-codes.gen.js';

/** One error of a request. `pointer` names the field (RFC 6901). */
export interface FieldProblem {
  readonly pointer: string;
  readonly in?: 'body' | 'query' | 'path' | 'header';
  readonly code: string;
  readonly message: string;
}

/** The body of an error response (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly FieldProblem[];
  /** The earliest moment that `asOf` can have, if the code is `history_unavailable`. */
  readonly earliest?: string;
}

/** The base class of all errors of this client. */
export class IdentityClientError extends Error {
  override readonly name: string = 'IdentityClientError';
}

/** The service returned an error. Programs use `code`, people read `message`. */
export class ApiError extends IdentityClientError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable name of the error, or `http_<status>` if a proxy responded instead of the service. */
  readonly code: ProblemCode | (string & {});
  /** The rejected fields of a validation error. */
  readonly errors: readonly FieldProblem[];
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, if the service sent them. */
  readonly retryAfterSeconds: number | undefined;
  /** The earliest moment that `asOf` can have, if the code is `history_unavailable`. */
  readonly earliest: string | undefined;
  /** The complete response body, if it is from the service. */
  readonly problem: Problem | undefined;

  constructor(response: Response, body: unknown) {
    const problem = isProblem(body) ? body : undefined;
    super(problem?.detail ?? `The response was ${response.status} ${response.statusText}`.trimEnd());
    this.status = response.status;
    this.code = problem?.code ?? `http_${response.status}`;
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = retryAfterSeconds(response.headers);
    this.earliest = problem?.earliest;
    this.problem = problem;
  }
}

/** There was no response: the service can't be reached, or the connection broke. `cause` has the reason. */
export class ConnectionError extends IdentityClientError {
  override readonly name = 'ConnectionError';
}

/** The time limit ended before the response was complete. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError' as 'ConnectionError';
}

/** Returns whether an error is a response of the service and, if `code` is passed, has this code: `isApiError(error, 'slug_taken')`. */
export function isApiError(error: unknown, code?: ProblemCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Returns the seconds until the next attempt. `Retry-After` contains seconds or a date. */
export function retryAfterSeconds(headers: Headers, nowMs: number = Date.now()): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - nowMs) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'status' in body;
