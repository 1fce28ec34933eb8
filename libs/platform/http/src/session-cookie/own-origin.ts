import { DomainError, parseUrl } from '#platform/common';
import type { Request } from 'express';

/** A page of another origin requested a change with the session cookie. */
export class CrossOrigin extends DomainError {
  readonly code = 'cross_origin';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Requests with the session cookie can change data only from the pages of this service. Send a token in the Authorization header instead.',
    );
  }
}

/**
 * Checks that a page of this origin sent the request (OWASP ASVS 3.5.1). Browsers send `Sec-Fetch-Site` over https and to localhost.
 * `same-site` is rejected, because the page can have another port or subdomain. Without this header, `Origin` must be present and be this
 * origin.
 * @throws CrossOrigin (403)
 */
export function assertOwnOrigin(request: Request, baseUrl: string): void {
  const site = request.headers['sec-fetch-site'];
  const isSameOrigin = site === undefined ? isOwnOrigin(request, baseUrl) : site === 'same-origin';
  if (!isSameOrigin) throw new CrossOrigin();
}

/**
 * Returns whether `Origin` equals the origin of `BASE_URL` or has the host of the request, because the service can have several host names. If
 * `BASE_URL` has https, pages with http are not accepted.
 */
export function isOwnOrigin(request: Request, baseUrl: string): boolean {
  const { origin = '' } = request.headers;
  const own = new URL(baseUrl);
  const url = parseUrl(origin);
  if (!url || url.origin !== origin) return false;
  if (url.origin === own.origin) return true;
  return url.host === request.headers.host && (own.protocol === 'http:' || url.protocol === 'https:');
}

/**
 * Returns whether the browser came from a page of this service or from the address bar. Browsers send `Sec-Fetch-Site` over https and to
 * localhost. Requests for pages have no `Origin` or `null` (Fetch standard, "append a request Origin header"), which is accepted.
 */
export function isFromOwnPage(request: Request, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return true;
  return isOwnOrigin(request, baseUrl);
}
