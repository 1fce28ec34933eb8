import { createHash } from 'node:crypto';
import { DomainError } from '#common';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { ServiceRequest } from '../request.js';

export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** Checking a body against its class compares all names of an object with one another; 20,000 of them kept a processor for 0.4 s. */
const MAX_FIELDS = 1_000;
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
    super(`Send the body as ${wanted.join(' or ')} in UTF-8, not compressed; this one is ${found.slice(0, 100)}.`);
  }
}

/** A body whose objects and lists stand inside one another too deeply: 400. */
export class JsonTooDeep extends DomainError {
  readonly code = 'json_too_deep';
  readonly kind = 'malformed';
  constructor() {
    super(`The body nests objects and lists more than ${MAX_DEPTH} levels deep.`);
  }
}

/** A body with an object of very many fields: 400. */
export class JsonTooWide extends DomainError {
  readonly code = 'json_too_wide';
  readonly kind = 'malformed';
  constructor() {
    super(`An object of the body has more than ${MAX_FIELDS.toLocaleString('en')} fields.`);
  }
}

/**
 * Reads JSON bodies of at most 256 KB (RFC 8259, UTF-8, an object or list at the top) and refuses all others. Compressed bodies are
 * refused, so that a small one can't grow. Requests with an `Idempotency-Key` get the hash of their body's exact bytes. Operations in
 * `streamed` find their bodies unread.
 */
export function jsonBody(streamed: readonly StreamedBody[] = []): RequestHandler[] {
  const parser = express.json({
    limit: MAX_BODY_BYTES,
    inflate: false,
    strict: true,
    verify: (request, _response, bytes) => {
      if (request.headers['idempotency-key'] !== undefined) {
        (request as ServiceRequest).bodyHash = createHash('sha256').update(bytes).digest();
      }
    },
  });
  const refuseOtherBodies = (request: Request, _response: Response, next: NextFunction): void => {
    const own = streamed.find(({ method, path }) => request.method === method && path.test(request.path));
    next(problemOfBody(request, own?.types ?? JSON_TYPE));
  };
  return [refuseOtherBodies, parser, refuseBodiesOfOddShape];
}

function problemOfBody(request: Request, wanted: readonly string[]): UnsupportedBody | undefined {
  if (!hasBody(request)) return undefined;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new UnsupportedBody(`compressed (${encoding})`, wanted);
  const type = request.headers['content-type'];
  const isWanted = wanted.includes(mediaTypeOf(type) ?? '');
  return isWanted ? undefined : new UnsupportedBody(type ?? 'without a Content-Type', wanted);
}

const IN_UTF8 = /^([^\s;]+)\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** The media type of a `Content-Type`, in lower case; undefined where another charset than UTF-8 or anything else is said. */
export const mediaTypeOf = (contentType: string | undefined): string | undefined =>
  IN_UTF8.exec(contentType ?? '')?.[1]?.toLowerCase();

function refuseBodiesOfOddShape(request: Request, _response: Response, next: NextFunction): void {
  next(shapeProblemOf(request.body));
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** What is wrong with the shape of JSON. Walks with a list of its own: recursion would end at the stack's limit. */
export function shapeProblemOf(value: unknown): JsonTooDeep | JsonTooWide | undefined {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > MAX_DEPTH) return new JsonTooDeep();
    // Counted first: to list the values of 20,000 fields takes three times as long.
    if (!Array.isArray(next.value) && Object.keys(next.value).length > MAX_FIELDS) return new JsonTooWide();
    for (const inner of Object.values(next.value)) {
      if (typeof inner === 'object' && inner !== null) waiting.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return undefined;
}
