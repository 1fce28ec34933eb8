import { readCookie } from '#platform/http';
import type { Request, Response } from 'express';

/** The content of the cookie. */
export interface Binding {
  readonly token: string;
  /** For a sign-in that a page started: the slug of the organization, whose sign-in page shows errors. */
  readonly pageOf?: string | undefined;
}

/** Longer than a sign-in can take, so that the sign-in page can say that it took too long. */
const LIFETIME_MS = 60 * 60_000;

/**
 * The cookie that binds a sign-in to the browser that started it, against sign-ins that an attacker started (RFC 9700, section 4.7).
 * `SameSite=Lax`, because the browser must send it when the provider redirects. Over https its name prevents other hosts from setting it.
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

  /** Returns the content of the cookie; without a cookie, the token is empty. */
  read(request: Request): Binding {
    const [, token = '', pageOf] = /^([\w-]+)(?:\.([a-z0-9-]+))?$/.exec(readCookie(request, this.name) ?? '') ?? [];
    return { token, pageOf };
  }
}
