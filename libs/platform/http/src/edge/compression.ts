import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { isApiPath } from './api-path.js';

/**
 * Compression of smaller responses costs more time than the transfer saves. Compressed responses are not vulnerable to BREACH,
 * because other sites cannot make a browser send the session cookie (SameSite=Strict).
 */
export const COMPRESSED_FROM_BYTES = 8_192;

const compress = compression({ threshold: COMPRESSED_FROM_BYTES });

/**
 * Express middleware that compresses pages, documents and files. Responses of the API are compressed only where they can be large
 * (`compressResponse`), because the middleware costs 10 % of the CPU time of a request even if it compresses nothing.
 */
export function compressPages(request: Request, response: Response, next: NextFunction): void {
  if (isApiPath(request)) next();
  else compress(request, response, next);
}

/** Compresses a response whose body has not been written yet, if the client accepts it and the type of the content is compressible. */
export function compressResponse(response: Response): void {
  compress(response.req, response, () => undefined);
}
