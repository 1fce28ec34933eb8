import { readCookie } from '#platform/http';
import type { Request, Response } from 'express';

export interface Binding {
  readonly token: string;
  /** The organization whose sign-in page shows errors. Present only if a page started the sign-in. */
  readonly organizationSlug?: string | undefined;
}

/** Longer than a sign-in can take, so that the sign-in page can explain a timeout. */
const LIFETIME_MS = 60 * 60_000;

/**
 * Binds a sign-in to the browser that started the sign-in, to prevent login CSRF (RFC 9700, section 4.7). With `SameSite=Lax`, the redirect
 * from the provider includes the cookie. The prefix `__Host-` prevents other hosts from setting the cookie.
 */
export class BindingCookie {
  private readonly name: string;
  private readonly attributes;

  constructor(baseUrl: string) {
    const secure = new URL(baseUrl).protocol === 'https:';
    this.name = secure ? '__Host-oidc' : 'oidc';
    this.attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  }

  set(response: Response, { token, organizationSlug }: Binding): void {
    const value = organizationSlug === undefined ? token : `${token}.${organizationSlug}`;
    response.cookie(this.name, value, { ...this.attributes, maxAge: LIFETIME_MS });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.attributes);
  }

  /** Returns the content of the cookie. Without a cookie, the token is empty. */
  read(request: Request): Binding {
    const [, token = '', organizationSlug] = /^([\w-]+)(?:\.([a-z0-9-]+))?$/.exec(readCookie(request, this.name) ?? '') ?? [];
    return { token, organizationSlug };
  }
}
