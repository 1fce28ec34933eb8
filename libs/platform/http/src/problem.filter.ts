import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { DomainError, type ErrorKind, type FieldProblem } from '#platform/common';
import { AppConfig } from '#platform/config';
import { isUnavailable, outageOf } from '#platform/database';
import type { Response } from 'express';
import { sendHtmlPage } from './html-page.js';
import { problemPage, wantsHtml } from './problem-page.js';
import { originalPathOf, type ServiceRequest } from './request.js';
import { isScimPath, SCIM_MEDIA_TYPE, type ScimError, toScimError } from './scim-error.js';

/** An error response, `application/problem+json` (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  errors?: readonly FieldProblem[];
  earliest?: Date;
}

const STATUS: Record<ErrorKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rule_violated: 422,
  rate_limited: 429,
  not_implemented: 501,
  unavailable: 503,
};

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  501: 'Not implemented',
  503: 'Service unavailable',
};

/** Codes of errors that the framework and the body parser throw. */
const MALFORMED_REQUEST = {
  code: 'malformed_request',
  detail: 'The request could not be parsed. Check that the URL is encoded correctly and that the body is complete.',
};
const FRAMEWORK_CODES: Record<number, { code: string; detail: string }> = {
  400: MALFORMED_REQUEST,
  404: { code: 'route_not_found', detail: 'This path does not exist. See /docs for all paths.' },
  405: {
    code: 'method_not_allowed',
    detail: 'This path does not support this method. The Allow header lists the supported methods.',
  },
  415: { code: 'unsupported_media_type', detail: 'Send the request body as application/json in UTF-8, uncompressed.' },
};

const RETRY_AFTER_SECONDS = 5;

const UNAVAILABLE_DETAILS = {
  slow: 'The database did not respond in time. Try again shortly.',
  unreachable: 'The database is not available at the moment. Try again shortly.',
  disk_full: 'The disk of the database is full, so nothing was stored. Tell the operator of this service.',
} as const;

/**
 * Converts every error to a problem document, to a page for browsers, or to an error of SCIM on the paths of SCIM. Logs unexpected errors. The response to an unexpected error contains only the ID of the
 * request.
 */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly config: AppConfig) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<ServiceRequest>();
    const requestId = request.context?.requestId ?? '';
    if (response.headersSent) {
      this.logger.error({ err: error, requestId }, 'The request failed after its response had started.');
      response.destroy();
      return;
    }
    const instance = originalPathOf(request);
    const described = describeError(error, requestId, this.logger);
    const problem = problemFrom(described, { baseUrl: this.config.baseUrl, instance, requestId });
    const { status, retryAfterSeconds, bearerError, challenge } = described;
    if (status === 401 || bearerError) {
      const bearer = this.challengeOf(request, bearerError);
      response.setHeader('WWW-Authenticate', challenge === undefined ? bearer : [bearer, challenge]);
    }
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
    response.setHeader('Cache-Control', 'no-store');
    if (isScimPath(request.path)) {
      const scimError = toScimError(described, error);
      response.status(Number(scimError.status)).type(SCIM_MEDIA_TYPE).send(JSON.stringify(scimError));
    } else if (wantsHtml(request)) {
      const reloadSeconds = status === 503 ? retryAfterSeconds : undefined;
      sendHtmlPage(response.status(status).vary('Accept'), this.config, { ...problemPage(request, problem), reloadSeconds });
    } else response.status(status).type('application/problem+json').send(JSON.stringify(problem));
  }

  /** Says how to get a token: on the paths of the API with the address of its metadata (RFC 9728). */
  private challengeOf({ path }: ServiceRequest, bearerError: string | undefined): string {
    const address = `${this.config.baseUrl}/.well-known/oauth-protected-resource`;
    const metadata = path.startsWith('/v1/') || path.startsWith('/ssf/') ? `resource_metadata="${address}"` : undefined;
    return ['Bearer realm="api"', bearerError, metadata].filter(Boolean).join(', ');
  }
}

interface DescribedError {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly FieldProblem[] | undefined;
  readonly earliest?: Date | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly bearerError?: string | undefined;
  readonly challenge?: string | undefined;
}

interface ProblemPlace {
  readonly baseUrl: string;
  /** The path of the request. */
  readonly instance: string;
  readonly requestId: string;
}

/** Returns the problem document of an error. Logs an unexpected error. */
export function problemOf(error: unknown, place: ProblemPlace, logger: Logger): Problem {
  return problemFrom(describeError(error, place.requestId, logger), place);
}

function problemFrom(
  { status, code, detail, errors, earliest }: DescribedError,
  { baseUrl, instance, requestId }: ProblemPlace,
): Problem {
  return {
    type: `${baseUrl}/docs/errors/${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    instance,
    code,
    requestId,
    ...(errors ? { errors } : {}),
    ...(earliest ? { earliest } : {}),
  };
}

function describeError(error: unknown, requestId: string, logger: Logger): DescribedError {
  if (error instanceof DomainError) {
    const { code, message: detail, errors, earliest, retryAfterSeconds, bearerError, challenge } = error;
    return { status: STATUS[error.kind], code, detail, errors, earliest, retryAfterSeconds, bearerError, challenge };
  }
  const status =
    error instanceof HttpException ? error.getStatus() : ((error as { status?: number; statusCode?: number }).status ?? 500);
  const frameworkError = FRAMEWORK_CODES[status];
  if (frameworkError) return { status, ...frameworkError };
  if (status >= 400 && status < 500) return { status: 400, ...MALFORMED_REQUEST };
  if (isUnavailable(error)) {
    logger.warn({ err: error, requestId }, 'A dependency does not respond.');
    return {
      status: 503,
      code: 'unavailable',
      detail: UNAVAILABLE_DETAILS[outageOf(error) ?? 'slow'],
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    };
  }
  logger.error({ err: error, requestId }, 'Unexpected error.');
  return {
    status: 500,
    code: 'internal_error',
    detail: `An unexpected error occurred. Give the operator this request id: ${requestId}`,
  };
}

/** Returns the error of an operation in the format of SCIM. The detail of an unexpected error is not returned. */
export function scimErrorOf(error: unknown): ScimError {
  if (!(error instanceof DomainError))
    return toScimError({ status: 500, code: 'internal_error', detail: 'An unexpected error occurred.' }, undefined);
  return toScimError({ status: STATUS[error.kind], code: error.code, detail: error.message }, error);
}
