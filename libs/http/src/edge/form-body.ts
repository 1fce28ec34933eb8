import express, { type Request, type Response } from 'express';
import { isOwnOrigin } from '../session-cookie/own-origin.js';
import type { StreamedBody } from './json-body.middleware.js';

const MAX_FORM_BYTES = 16 * 1024;
const MAX_FIELDS = 20;

const parser = express.urlencoded({ extended: false, limit: MAX_FORM_BYTES, parameterLimit: MAX_FIELDS, inflate: false });

/** Lets the page at this path take an HTML form; its handler calls `readForm`. */
export const formBodyAt = (path: RegExp): StreamedBody => ({
  method: 'POST',
  path,
  types: ['application/x-www-form-urlencoded'],
});

/** The fields of a form of at most 16 KB and 20 fields; one that came twice is a list. @throws an HTTP error (400, 413) */
export async function readForm(request: Request, response: Response): Promise<Record<string, unknown>> {
  await new Promise<void>((resolve, reject) =>
    parser(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve())),
  );
  return (request.body ?? {}) as Record<string, unknown>;
}

/**
 * Whether a form was sent by a page of this service (against forged requests, OWASP ASVS 3.5). Browsers say so in `Sec-Fetch-Site`, over
 * https and on this machine; else the `Origin` counts. A page with `Referrer-Policy: no-referrer` sends `Origin: null` (Fetch standard,
 * "append a request Origin header"), which says nothing: such a form must carry a secret of its own.
 */
export function isFromOwnPage(request: Request, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return true;
  return isOwnOrigin(request, baseUrl);
}
