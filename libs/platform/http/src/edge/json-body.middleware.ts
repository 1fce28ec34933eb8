import { DomainError } from '#platform/common';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { MalformedJson, readJson } from '../json/index.js';
import { isScimPath, SCIM_MEDIA_TYPE } from '../scim-error.js';

export const MAX_BODY_BYTES = 256 * 1024;
/** Identity providers send groups with thousands of members, and configurations have hundreds of organizations. */
const MAX_LARGE_BODY_BYTES = 4 * 1024 * 1024;
/** A list of members has two values for each member, so that 4 MB of members are below this maximum. */
const MAX_SCIM_VALUES = 250_000;
/** The validation of so many values takes less than a second. */
const MAX_CONFIGURATION_VALUES = 50_000;
/** The paths of the operations that read a configuration. */
const CONFIGURATION_PATH = /^\/v1\/organizations\/[^/]+\/configuration\/[a-z]+\/?$/i;
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
  constructor(isLarge: boolean) {
    super(`The request body is larger than ${isLarge ? '4 MB' : '256 KB'}. Send a smaller one.`);
  }
}

/**
 * Reads JSON bodies of at most 256 KB, or 4 MB on the paths of SCIM and of configurations (`readJson`; an object or an array). Rejects all other bodies. Rejects
 * compressed bodies, because they can be large after decompression. Does not read the bodies of `streamed` operations.
 */
export function jsonBody(streamed: readonly StreamedBody[] = []): RequestHandler {
  const bytesUpTo = (limit: number) => express.raw({ inflate: false, limit, type: () => true });
  const [readBytes, readLargeBytes] = [bytesUpTo(MAX_BODY_BYTES), bytesUpTo(MAX_LARGE_BODY_BYTES)];
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!hasBody(request)) return next();
    const operation = streamed.find(({ method, path }) => request.method === method && path.test(request.path));
    const isScim = isScimPath(request.path);
    const problem = problemOfBody(request, operation?.types ?? (isScim ? SCIM_TYPES : JSON_TYPE));
    if (problem || operation) return next(problem);
    const maxValues = isScim ? MAX_SCIM_VALUES : CONFIGURATION_PATH.test(request.path) ? MAX_CONFIGURATION_VALUES : undefined;
    const isLarge = maxValues !== undefined;
    (isLarge ? readLargeBytes : readBytes)(request, response, (error?: unknown) => {
      if (error) return next((error as { type?: string }).type === 'entity.too.large' ? new BodyTooLarge(isLarge) : error);
      try {
        request.body = bodyOf(request.body as Buffer, maxValues);
      } catch (problem) {
        return next(problem);
      }
      next();
    });
  };
}

/** Returns the object or array of a body, or undefined for an empty body. @throws MalformedJson, JsonTooDeep, JsonTooWide, InvalidRequest (400) */
function bodyOf(bytes: Buffer, maxValues: number | undefined): object | undefined {
  if (bytes.length === 0) return undefined;
  const json = readJson(bytes, maxValues === undefined ? {} : { maxValues });
  if (typeof json !== 'object' || json === null) throw new MalformedJson('The request body is not a JSON object.');
  return json;
}

function problemOfBody(request: Request, accepted: readonly string[]): UnsupportedBody | undefined {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new UnsupportedBody(`compressed (${encoding})`, accepted);
  const type = request.headers['content-type'];
  const isAccepted = accepted.includes(mediaTypeOf(type) ?? '');
  return isAccepted ? undefined : new UnsupportedBody(type ?? 'missing a Content-Type', accepted);
}

const MAX_CONTENT_TYPE_LENGTH = 200;
const UTF8_CHARSET = /^charset\s*=\s*(?:utf-?8|"utf-?8")$/i;

/**
 * Returns the media type of a `Content-Type` in lower case. Returns undefined if the `Content-Type` is missing, has parameters
 * other than `charset=utf-8`, or has more than 200 characters.
 */
export function mediaTypeOf(contentType = ''): string | undefined {
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH) return undefined;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  // A semicolon at the end is allowed.
  if (parameters.at(-1) === '') parameters.pop();
  const isUtf8 = parameters.length === 0 || (parameters.length === 1 && UTF8_CHARSET.test(parameters[0]!));
  return isUtf8 && type !== '' ? type.toLowerCase() : undefined;
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
