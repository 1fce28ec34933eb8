const ORIGIN = 'https://here.invalid';
const PAGES = /^\/(?:dashboard|account)(?:\/|$)/;
const SIGN_IN_PAGES = /^\/account\/(?:sign-in|sign-up|sign-out|forgot-password)(?:\/|$)/;
/** The way back to an application that waits for the sign-in. */
const INTERACTION = /^\/oauth\/interactions\/([\w-]{1,64})$/;

/** The page on which users enter the codes of devices. */
const DEVICE = '/device';

/**
 * Returns a safe target after a sign-in: the path of a dashboard or account page, or of an application that waits for the sign-in, or
 * undefined. Rejects everything that a browser could resolve to another host (OWASP ASVS 3.7.2), and the sign-in pages.
 */
export function safeReturnTo(path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(path, ORIGIN);
  if (origin !== ORIGIN) return undefined;
  if (INTERACTION.test(pathname)) return search + hash === '' ? pathname : undefined;
  if (pathname === DEVICE) return hash === '' ? pathname + search : undefined;
  return PAGES.test(pathname) && !SIGN_IN_PAGES.test(pathname) ? pathname + search + hash : undefined;
}

/** Returns the id of the authorization request that continues at a target of `safeReturnTo`, or undefined for a page. */
export const interactionOf = (returnTo: string | undefined): string | undefined => INTERACTION.exec(returnTo ?? '')?.[1];

export const interactionPath = (id: string): string => `/oauth/interactions/${encodeURIComponent(id)}`;

export const devicePath = (userCode: string): string => `${DEVICE}?${new URLSearchParams({ user_code: userCode })}`;
