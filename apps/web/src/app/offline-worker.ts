/** The static pages. Other paths, such as `/oauth`, must get the cookies that the browser sends without a service worker. */
const SCOPES = ['/dashboard', '/account'];

/** Lets a reload without a connection show a page of the service, which continues by itself. */
export function registerOfflineWorker(): void {
  // Browsers have no service workers at http addresses other than localhost, and in some private windows.
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  for (const scope of SCOPES) void navigator.serviceWorker.register('/offline-worker.js', { scope }).catch(() => undefined);
}
