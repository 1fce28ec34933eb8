const ORIGIN = 'https://here.invalid';
const PAGES = /^\/(?:dashboard|account)(?:\/|$)/;
const SIGN_IN_PAGES = /^\/account\/(?:sign-in|sign-up|forgot-password)(?:\/|$)/;

/**
 * Returns a safe target after a sign-in: the path of a dashboard or account page, or undefined. Rejects everything that
 * a browser could resolve to another host (OWASP ASVS 3.7.2), and the sign-in pages.
 */
export function safeReturnTo(path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(path, ORIGIN);
  if (origin !== ORIGIN || !PAGES.test(pathname) || SIGN_IN_PAGES.test(pathname)) return undefined;
  return pathname + search + hash;
}
