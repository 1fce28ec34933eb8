import { DomainError, parseUrl } from '#platform/common';
import type { Request } from 'express';

/** A change that a page of another origin asked for with the browser's session: 403. */
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
 * Demands that a page of this very origin sent the request (OWASP ASVS 3.5.1). Browsers say so in `Sec-Fetch-Site`, over https and on this
 * machine, where `same-site` is another port or a neighbouring host; else the `Origin` has to be there and to be this one.
 * @throws CrossOrigin (403)
 */
export function demandOwnOrigin(request: Request, baseUrl: string): void {
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(request, baseUrl) : site === 'same-origin';
  if (!isOwn) throw new CrossOrigin();
}

/**
 * Whether the `Origin` is that of `BASE_URL` or of the host that was asked, which may have several names. Where the public address is https,
 * no page that came unencrypted counts.
 */
export function isOwnOrigin(request: Request, baseUrl: string): boolean {
  const { origin = '' } = request.headers;
  const own = new URL(baseUrl);
  const given = parseUrl(origin);
  if (!given || given.origin !== origin) return false;
  if (given.origin === own.origin) return true;
  return given.host === request.headers.host && (own.protocol === 'http:' || given.protocol === 'https:');
}

/**
 * Whether a page of this service, or the person by the address bar, led the browser here. Browsers say so in `Sec-Fetch-Site`, over https
 * and on this machine; page loads carry no `Origin`, or `null` (Fetch standard, "append a request Origin header"), which says nothing.
 */
export function isFromOwnPage(request: Request, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return true;
  return isOwnOrigin(request, baseUrl);
}
