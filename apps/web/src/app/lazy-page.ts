import { lazyRouteComponent } from '@tanstack/react-router';
import { whenReachable } from './connection';

/**
 * As `lazyRouteComponent`, but waits for the connection if the page can't be loaded, instead of leading to the error page of the browser.
 * If a reachable service does not have the file, a new release runs, and the page is reloaded.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(() => importer().catch(() => whenReachable().then(importer)), exportName);
