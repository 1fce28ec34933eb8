const LINK_PAGES = new Set(['/accept-invitation', '/reset-password', '/verify-email', '/cancel-email-change']);

/** Returns whether the link of an email opens the page. */
export const isLinkPage = (path: string): boolean => LINK_PAGES.has(path);

/**
 * The token of an emailed link. Reading removes the token from the address bar, to keep the token out of the history, screenshots
 * and shared URLs. After a reload, the user must open the link again.
 */
export const linkToken: string = readToken();

function readToken(): string {
  const url = new URL(window.location.href);
  if (!isLinkPage(url.pathname.replace(/\/$/, ''))) return '';
  const token = url.searchParams.get('token') ?? '';
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}`);
  return token;
}
