import { createRoute, redirect } from '@tanstack/react-router';
import { loadFirst, prefetchAll } from '../app/first-page';
import { lazyPage } from '../app/lazy-page';
import { queryClient } from '../app/query-client';
import { rootRoute } from '../app/root-route';
import { sessionQuery } from '../app/session';
import { requireSession } from '../app/require-session';
import { ownNotificationsQuery } from './notifications/notification-queries';
import { organizationQuery } from './organization';
import { permissionsQuery } from './permissions';

/**
 * The root of the dashboard. Redirects users without a session to the sign-in page, and users who must add a second factor to the
 * security page.
 */
export const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: async ({ location }) => {
    await requireSession({ location });
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (!user?.session.mfaEnrolmentRequired) return;
    throw redirect({ href: `/account/security?enrol=1&returnTo=${encodeURIComponent(location.href)}` });
  },
  component: lazyPage(() => import('./first-pages'), 'DashboardShell'),
});

/** The root of the pages of an organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: 'organizations/$org',
  loader: ({ params: { org } }) =>
    loadFirst(async () => {
      const { kind } = await queryClient.ensureQueryData(sessionQuery);
      await prefetchAll([organizationQuery(org), permissionsQuery(org), { ...ownNotificationsQuery, enabled: kind === 'user' }]);
    }),
});
