import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { ApiProblem } from '../api/problem';
import { queryClient } from '../app/query-client';
import { rootRoute } from '../app/root-route';
import { sessionQuery } from '../app/session';

/** Above all pages of the dashboard: whoever is not signed in is led to the sign-in, and back afterwards. */
export const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
      throw redirect({ href: `/account/sign-in?returnTo=${encodeURIComponent(location.href)}` });
    }
  },
  component: lazyRouteComponent(() => import('./shell/dashboard-shell'), 'DashboardShell'),
});

/** Above all pages of one organization; `$org` is its id. */
export const organizationRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: 'organizations/$org',
});
