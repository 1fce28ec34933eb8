import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient } from '../app/query-client';
import { rootRoute } from '../app/root-route';
import { sessionQuery } from '../app/session';
import { signedIn } from '../app/signed-in';

/**
 * Above all pages of the dashboard: whoever is not signed in is led to the sign-in, and back afterwards. A session that may only add a second
 * factor does that first.
 */
export const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: async ({ location }) => {
    await signedIn({ location });
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (!user?.session.mfaEnrolmentRequired) return;
    throw redirect({ href: `/account/security?enrol=1&returnTo=${encodeURIComponent(location.href)}` });
  },
  component: lazyRouteComponent(() => import('./shell/dashboard-shell'), 'DashboardShell'),
});

/** Above all pages of one organization; `$org` is its id. */
export const organizationRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: 'organizations/$org',
});
