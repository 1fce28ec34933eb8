import { readCookie } from '#http';
import type { Request, Response } from 'express';

/**
 * The cookie that binds a sign-in to the browser that began it, against sign-ins that somebody else began (RFC 9700, section 4.7). It has to
 * come along when the provider leads the browser back, so it is Lax. Over https its name keeps other hosts from setting it.
 */
export class BindingCookie {
  private readonly name: string;
  private readonly attributes;

  constructor(baseUrl: string) {
    const secure = new URL(baseUrl).protocol === 'https:';
    this.name = secure ? '__Host-oidc' : 'oidc';
    this.attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  }

  set(response: Response, token: string, expires: Date): void {
    response.cookie(this.name, token, { ...this.attributes, expires });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.attributes);
  }

  /** The token that the browser has; empty when there is none. */
  read(request: Request): string {
    return readCookie(request, this.name) ?? '';
  }
}
