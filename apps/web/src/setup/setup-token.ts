const STORAGE_KEY = 'setup-token';

/**
 * The token of the setup link, or an empty string. Reading removes the token from the address bar, to keep the token out of the history,
 * screenshots and shared URLs. The tab keeps the token for a reload.
 */
export function setupToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (token !== null) {
    window.sessionStorage.setItem(STORAGE_KEY, token);
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }
  return window.sessionStorage.getItem(STORAGE_KEY) ?? '';
}
