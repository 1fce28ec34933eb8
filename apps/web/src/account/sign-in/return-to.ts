const ORIGIN = 'https://here.invalid';
const PAGES = /^\/(?:dashboard|account)(?:\/|$)/;
const ENTRY_PAGES = /^\/account\/(?:sign-in|sign-up|forgot-password)(?:\/|$)/;

/**
 * Where to go on after a sign-in: one of these pages, by its path, or nothing. Whatever a browser could take for another host is refused
 * (OWASP ASVS 3.7.2), and so are the pages for signing in themselves.
 */
export function localPage(path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(path, ORIGIN);
  if (origin !== ORIGIN || !PAGES.test(pathname) || ENTRY_PAGES.test(pathname)) return undefined;
  return pathname + search + hash;
}
