const LINK_PAGES = new Set(['/accept-invitation', '/reset-password', '/verify-email', '/cancel-email-change']);

/**
 * The token of the mailed link that led here. It is taken out of the address bar before anything else happens, so that it stands in no
 * history, picture of the screen or address that is passed on; a reload needs the mail again.
 */
export const linkToken: string = takeToken();

function takeToken(): string {
  const url = new URL(window.location.href);
  if (!LINK_PAGES.has(url.pathname.replace(/\/$/, ''))) return '';
  const token = url.searchParams.get('token') ?? '';
  window.history.replaceState(window.history.state, '', url.pathname);
  return token;
}
