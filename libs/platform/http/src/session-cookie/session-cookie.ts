import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { Request, Response } from 'express';
import { demandOwnOrigin } from './own-origin.js';

const isSecure = ({ baseUrl }: Pick<AppConfig, 'baseUrl'>): boolean => new URL(baseUrl).protocol === 'https:';

/** The name of the session cookie. Over https its prefix keeps other hosts from setting it (RFC 6265bis, section 4.1.3.2). */
export const sessionCookieName = (config: Pick<AppConfig, 'baseUrl' | 'serviceName'>): string =>
  `${isSecure(config) ? '__Host-' : ''}${config.serviceName}-session`;

/** The value of the first cookie of a name; undefined when the request has none, or an empty one. */
export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
}

/**
 * The session of a browser in which the service's own pages run. No script can read it, and it comes along with no request that began on
 * another site (OWASP ASVS 3.3.1 to 3.3.4).
 */
@Injectable()
export class SessionCookie {
  readonly name: string;
  private readonly attributes;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.name = sessionCookieName(config);
    this.attributes = { httpOnly: true, sameSite: 'strict', secure: isSecure(config), path: '/' } as const;
  }

  /** Lets the browser keep the token until the session's absolute end. */
  set(response: Response, token: string, expiresAt: Date): void {
    response.cookie(this.name, token, { ...this.attributes, maxAge: expiresAt.getTime() - this.clock.now().getTime() });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.attributes);
  }

  /** The token that the request is made with; undefined also where an `Authorization` header stands, which wins. */
  tokenOf(request: Request): string | undefined {
    return request.headers.authorization === undefined ? readCookie(request, this.name) : undefined;
  }

  /** @throws CrossOrigin (403) unless a page of this service sent the request */
  demandOwnPage(request: Request): void {
    demandOwnOrigin(request, this.config.baseUrl);
  }
}
