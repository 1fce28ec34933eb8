import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '#platform/common';
import express, { type ErrorRequestHandler, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { ServiceRequest } from '../request.js';
import { isScimPath, SCIM_MEDIA_TYPE } from '../scim-error.js';
import { shapeProblemOf } from './json-shape.js';

export const MAX_BODY_BYTES = 256 * 1024;
/** Identity providers send groups with thousands of members. */
const MAX_SCIM_BODY_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = ['application/json'];
const SCIM_TYPES = [SCIM_MEDIA_TYPE, 'application/json'];

/** An operation that reads its body as a stream and has its own size limit. */
export interface StreamedBody {
  readonly method: string;
  readonly path: RegExp;
  readonly types: readonly string[];
}

/** The body has a wrong media type, a wrong encoding (not UTF-8), or compression. */
export class UnsupportedBody extends DomainError {
  readonly code = 'unsupported_media_type';
  readonly kind = 'unsupported_media_type';
  constructor(actual: string, accepted: readonly string[] = JSON_TYPE) {
    super(`The request body is ${actual.slice(0, 100)}. Send it as ${accepted.join(' or ')} in UTF-8, uncompressed.`);
  }
}

/** The body is larger than the limit of its path. */
class BodyTooLarge extends DomainError {
  readonly code = 'content_too_large';
  readonly kind = 'too_large';
  constructor(isScim: boolean) {
    super(`The request body is larger than ${isScim ? '4 MB' : '256 KB'}. Send a smaller one.`);
  }
}

/**
 * Parses JSON bodies of at most 256 KB, or 4 MB on the paths of SCIM (RFC 8259, UTF-8, an object or array, with limited depth and width). Rejects all other bodies.
 * Rejects compressed bodies, because they can be large after decompression. Sets `bodyHash` for requests with an `Idempotency-Key`. Does
 * not read the bodies of `streamed` operations.
 */
export function jsonBody(streamed: readonly StreamedBody[] = []): (RequestHandler | ErrorRequestHandler)[] {
  const options = {
    inflate: false,
    strict: true,
    verify: (request: IncomingMessage, _response: unknown, bytes: Buffer) => {
      if (request.headers['idempotency-key'] !== undefined) {
        (request as ServiceRequest).bodyHash = createHash('sha256').update(bytes).digest();
      }
      const problem = shapeProblemOf(bytes);
      if (problem) throw new Error(problem.message, { cause: problem });
    },
  };
  const parser = express.json({ ...options, limit: MAX_BODY_BYTES });
  const scimParser = express.json({ ...options, limit: MAX_SCIM_BODY_BYTES, type: SCIM_TYPES });
  const parse: RequestHandler = (request, response, next) =>
    (isScimPath(request.path) ? scimParser : parser)(request, response, next);
  const rejectOtherBodies = (request: Request, _response: Response, next: NextFunction): void => {
    const operation = streamed.find(({ method, path }) => request.method === method && path.test(request.path));
    next(problemOfBody(request, operation?.types ?? (isScimPath(request.path) ? SCIM_TYPES : JSON_TYPE)));
  };
  return [rejectOtherBodies, parse, unwrapProblem];
}

function problemOfBody(request: Request, accepted: readonly string[]): UnsupportedBody | undefined {
  if (!hasBody(request)) return undefined;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new UnsupportedBody(`compressed (${encoding})`, accepted);
  const type = request.headers['content-type'];
  const isAccepted = accepted.includes(mediaTypeOf(type) ?? '');
  return isAccepted ? undefined : new UnsupportedBody(type ?? 'missing a Content-Type', accepted);
}

const UTF8_CONTENT_TYPE = /^([^\s;]+)\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/**
 * Returns the media type of a `Content-Type` in lower case. Returns undefined if the `Content-Type` has parameters other than
 * `charset=utf-8`.
 */
export const mediaTypeOf = (contentType: string | undefined): string | undefined =>
  UTF8_CONTENT_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase();

/** Passes the problem of the body to the next handler. The parser wraps each thrown error in an error with status 403. */
const unwrapProblem: ErrorRequestHandler = (error: Error & { type?: string }, request, _response, next) => {
  if (error.type === 'entity.too.large') next(new BodyTooLarge(isScimPath(request.path)));
  else next(error.cause instanceof DomainError ? error.cause : error);
};

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
