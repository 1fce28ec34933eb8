import { createHash } from 'node:crypto';
import { DomainError } from '#platform/common';
import express, { type ErrorRequestHandler, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { ServiceRequest } from '../request.js';
import { shapeProblemOf } from './json-shape.js';

export const MAX_BODY_BYTES = 256 * 1024;
const JSON_TYPE = ['application/json'];

/** An operation that reads its body itself, as a stream and under a limit of its own. */
export interface StreamedBody {
  readonly method: string;
  readonly path: RegExp;
  /** Media types that it takes. */
  readonly types: readonly string[];
}

/** A body of another type than the operation takes, not in UTF-8, or compressed: 415. */
export class UnsupportedBody extends DomainError {
  readonly code = 'unsupported_media_type';
  readonly kind = 'unsupported_media_type';
  constructor(found: string, wanted: readonly string[] = JSON_TYPE) {
    super(`The request body is ${found.slice(0, 100)}. Send it as ${wanted.join(' or ')} in UTF-8, uncompressed.`);
  }
}

/**
 * Reads JSON bodies of at most 256 KB (RFC 8259, UTF-8, an object or list at the top, neither too deep nor too wide) and refuses all
 * others. Compressed bodies are refused, so that a small one can't grow. Requests with an `Idempotency-Key` get the hash of their body's
 * exact bytes. Operations in `streamed` find their bodies unread.
 */
export function jsonBody(streamed: readonly StreamedBody[] = []): (RequestHandler | ErrorRequestHandler)[] {
  const parser = express.json({
    limit: MAX_BODY_BYTES,
    inflate: false,
    strict: true,
    verify: (request, _response, bytes) => {
      if (request.headers['idempotency-key'] !== undefined) {
        (request as ServiceRequest).bodyHash = createHash('sha256').update(bytes).digest();
      }
      const problem = shapeProblemOf(bytes);
      if (problem) throw new Error(problem.message, { cause: problem });
    },
  });
  const refuseOtherBodies = (request: Request, _response: Response, next: NextFunction): void => {
    const own = streamed.find(({ method, path }) => request.method === method && path.test(request.path));
    next(problemOfBody(request, own?.types ?? JSON_TYPE));
  };
  return [refuseOtherBodies, parser, tellShapeProblems];
}

function problemOfBody(request: Request, wanted: readonly string[]): UnsupportedBody | undefined {
  if (!hasBody(request)) return undefined;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new UnsupportedBody(`compressed (${encoding})`, wanted);
  const type = request.headers['content-type'];
  const isWanted = wanted.includes(mediaTypeOf(type) ?? '');
  return isWanted ? undefined : new UnsupportedBody(type ?? 'missing a Content-Type', wanted);
}

const IN_UTF8 = /^([^\s;]+)\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** The media type of a `Content-Type`, in lower case; undefined where another charset than UTF-8 or anything else is said. */
export const mediaTypeOf = (contentType: string | undefined): string | undefined =>
  IN_UTF8.exec(contentType ?? '')?.[1]?.toLowerCase();

/** The parser gives whatever is thrown while it reads a status of its own, 403; so the problem comes to it inside another error. */
const tellShapeProblems: ErrorRequestHandler = (error: Error, _request, _response, next) =>
  next(error.cause instanceof DomainError ? error.cause : error);

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
