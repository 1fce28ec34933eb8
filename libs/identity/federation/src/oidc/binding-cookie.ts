import { readCookie } from '#platform/http';
import type { Request, Response } from 'express';

/** What a browser has from the start of its sign-in. */
export interface Binding {
  readonly token: string;
  /** Where a page began the sign-in: the slug of the organization, so that whoever comes back in vain is shown its sign-in page again. */
  readonly pageOf?: string | undefined;
}

/** Longer than a sign-in may take, so that who comes back too late is told so on a page. */
const LIFETIME_MS = 60 * 60_000;

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

  set(response: Response, { token, pageOf }: Binding): void {
    const value = pageOf === undefined ? token : `${token}.${pageOf}`;
    response.cookie(this.name, value, { ...this.attributes, maxAge: LIFETIME_MS });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.attributes);
  }

  /** The token is empty when the browser has none. */
  read(request: Request): Binding {
    const [, token = '', pageOf] = /^([\w-]+)(?:\.([a-z0-9-]+))?$/.exec(readCookie(request, this.name) ?? '') ?? [];
    return { token, pageOf };
  }
}
