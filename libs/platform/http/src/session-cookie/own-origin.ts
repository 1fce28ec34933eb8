import { DomainError, parseUrl } from '#platform/common';
import type { Request } from 'express';

/** A page of another origin requested a change with the session cookie. */
export class CrossOrigin extends DomainError {
  readonly code = 'cross_origin';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Requests with the session cookie can change data only from the pages of this service. Programs send a token in the Authorization header instead; pages of other origins call their own server.',
    );
  }
}

/**
 * Checks that a page of this origin sent the request (OWASP ASVS 3.5.1). Browsers send `Sec-Fetch-Site` over https and to localhost. The
 * value `same-site` is rejected, because the page can have another port or subdomain. Without `Sec-Fetch-Site`, `Origin` must be this
 * origin.
 * @throws CrossOrigin (403)
 */
export function assertOwnOrigin(request: Request, baseUrl: string): void {
  const site = request.headers['sec-fetch-site'];
  const isSameOrigin = site === undefined ? isOwnOrigin(request, baseUrl) : site === 'same-origin';
  if (!isSameOrigin) throw new CrossOrigin();
}

/**
 * Returns whether `Origin` equals the origin of `BASE_URL` or has the host of the request, because the service can have several host names.
 * If `BASE_URL` has https, `Origin` must have https.
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
 * localhost. Accepts requests with no `Origin` or `null`, because requests for pages have such an `Origin` (Fetch standard, "append a
 * request Origin header").
 */
export function isFromOwnPage(request: Request, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return true;
  return isOwnOrigin(request, baseUrl);
}
