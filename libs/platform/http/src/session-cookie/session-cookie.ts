import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { Request, Response } from 'express';
import { assertOwnOrigin } from './own-origin.js';

const isSecure = ({ baseUrl }: Pick<AppConfig, 'baseUrl'>): boolean => new URL(baseUrl).protocol === 'https:';

/**
 * Returns the name of the session cookie. With https, the prefix of the name prevents other hosts from setting the cookie (RFC 6265bis,
 * section 4.1.3.2).
 */
export const sessionCookieName = (config: Pick<AppConfig, 'baseUrl' | 'serviceName'>): string =>
  `${isSecure(config) ? '__Host-' : ''}${config.serviceName}-session`;

/** Returns the names and values of all cookies. */
export function readCookies(request: Request): [name: string, value: string][] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.flatMap((pair) => {
    const end = pair.indexOf('=');
    return end > 0 ? [[pair.slice(0, end), pair.slice(end + 1)]] : [];
  });
}

/** Returns the value of the first cookie with a name, or undefined if the cookie is missing or empty. */
export const readCookie = (request: Request, name: string): string | undefined =>
  readCookies(request).find(([each]) => each === name)?.[1] || undefined;

/**
 * The cookie with the session token of the service's pages. Scripts can't read the cookie. Browsers don't send the cookie with requests
 * from other sites (OWASP ASVS 3.3.1 to 3.3.4).
 */
@Injectable()
export class SessionCookie {
  readonly name: string;
  /** The cookie of a session as another user. It has precedence, so that the own session continues when it ends. */
  private readonly impersonationName: string;
  private readonly attributes;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.name = sessionCookieName(config);
    this.impersonationName = this.name.replace(/session$/, 'impersonation');
    this.attributes = { httpOnly: true, sameSite: 'strict', secure: isSecure(config), path: '/' } as const;
  }

  /** Sets the session of the browser. A new own session ends the use of a session as another user. */
  set(response: Response, token: string, expiresAt: Date, { isImpersonation = false } = {}): void {
    const maxAge = expiresAt.getTime() - this.clock.now().getTime();
    response.cookie(isImpersonation ? this.impersonationName : this.name, token, { ...this.attributes, maxAge });
    if (!isImpersonation && readCookie(response.req, this.impersonationName) !== undefined)
      response.clearCookie(this.impersonationName, this.attributes);
  }

  /** Deletes the cookie from which `tokenOf` takes the token. */
  clear(request: Request, response: Response): void {
    const name = this.cookieOf(request)?.name;
    if (name !== undefined) response.clearCookie(name, this.attributes);
  }

  /**
   * Returns the token in the cookie. Returns undefined if the request has no cookie, or has an `Authorization` header, which has
   * precedence.
   */
  tokenOf(request: Request): string | undefined {
    return this.cookieOf(request)?.token;
  }

  private cookieOf(request: Request): { readonly name: string; readonly token: string } | undefined {
    if (request.headers.authorization !== undefined) return undefined;
    const find = (name: string) => {
      const token = readCookie(request, name);
      return token === undefined ? undefined : { name, token };
    };
    return find(this.impersonationName) ?? find(this.name);
  }

  /** Checks that a page of this service sent the request. @throws CrossOrigin (403) */
  assertOwnPage(request: Request): void {
    assertOwnOrigin(request, this.config.baseUrl);
  }
}
