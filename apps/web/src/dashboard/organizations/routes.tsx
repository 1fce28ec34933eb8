import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { dashboardRoute, organizationRoute } from '../root-routes';

const organizationsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./organizations-page'), 'OrganizationsPage'),
});

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-page'), 'OverviewPage'),
});

/** Pages that are above single organizations. */
export const organizationsRoutes = [organizationsRoute] as const;

/** Pages of one organization about itself. */
export const organizationRoutes = [overviewRoute] as const;
