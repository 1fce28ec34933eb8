import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route';
import { signedIn } from '../app/signed-in';

/** Above all pages of the dashboard: whoever is not signed in is led to the sign-in, and back afterwards. */
export const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./shell/dashboard-shell'), 'DashboardShell'),
});

/** Above all pages of one organization; `$org` is its id. */
export const organizationRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: 'organizations/$org',
});
