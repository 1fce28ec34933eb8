import { hashToken } from '#platform/crypto';
import { readCookies } from '#platform/http';
import type { Request, Response } from 'express';

export interface Binding {
  readonly token: string;
  /** The organization whose sign-in page shows errors. Present only if a page started the sign-in. */
  readonly organizationSlug?: string | undefined;
}

export interface StartedBinding extends Binding {
  readonly state: string;
  readonly expiresAt: Date;
}

interface PendingBinding extends Binding {
  readonly cookieName: string;
  readonly expiresAtMs: number;
}

/** Longer than a sign-in can take, so that the sign-in page can explain a timeout. */
const LIFETIME_MS = 60 * 60_000;
/** Maximum number of pending sign-ins in a browser. Browsers send the cookies with every request. */
const PENDING_MAX = 5;
const ID_LENGTH = 16;

/**
 * Binds sign-ins to the browser that started them, to prevent login CSRF (RFC 9700, section 4.7). Each sign-in has its own cookie, because
 * a browser can start several, in several tabs. With `SameSite=Lax`, the redirect from the provider includes the cookies. The prefix
 * `__Host-` prevents other hosts from setting the cookies.
 */
export class BindingCookie {
  private readonly prefix: string;
  private readonly attributes;

  constructor(baseUrl: string) {
    const secure = new URL(baseUrl).protocol === 'https:';
    this.prefix = secure ? '__Host-oidc-' : 'oidc-';
    this.attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  }

  /** Sets the cookie of a sign-in. Deletes the oldest cookies if the browser has too many. */
  set(request: Request, response: Response, { state, token, organizationSlug, expiresAt }: StartedBinding): void {
    const value = [token, expiresAt.getTime(), ...(organizationSlug === undefined ? [] : [organizationSlug])].join('.');
    for (const { cookieName } of this.pending(request).slice(PENDING_MAX - 1)) response.clearCookie(cookieName, this.attributes);
    response.cookie(this.nameFor(state), value, { ...this.attributes, maxAge: LIFETIME_MS });
  }

  clear(response: Response, state: string): void {
    response.clearCookie(this.nameFor(state), this.attributes);
  }

  /** Returns the binding of a sign-in. Without its cookie, the token is empty, and the page of the newest sign-in can show the error. */
  read(request: Request, state: string): Binding {
    const pending = this.pending(request);
    const name = this.nameFor(state);
    return pending.find(({ cookieName }) => cookieName === name) ?? { token: '', organizationSlug: pending[0]?.organizationSlug };
  }

  /** Returns the bindings of the browser, the newest first. */
  private pending(request: Request): PendingBinding[] {
    return readCookies(request)
      .filter(([name]) => name.startsWith(this.prefix))
      .map(([cookieName, value]) => {
        const [, token = '', expiresAtMs, organizationSlug] = /^([\w-]+)\.(\d{1,15})(?:\.([a-z0-9-]+))?$/.exec(value) ?? [];
        return { cookieName, token, expiresAtMs: Number(expiresAtMs ?? 0), organizationSlug };
      })
      .toSorted((first, second) => second.expiresAtMs - first.expiresAtMs);
  }

  private nameFor(state: string): string {
    return this.prefix + hashToken(state).toString('hex').slice(0, ID_LENGTH);
  }
}
