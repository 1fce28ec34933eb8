import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { dashboardRoute } from '../root-routes';

const eventSubscribersRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: 'event-subscribers',
  component: lazyRouteComponent(() => import('./event-subscribers-page'), 'EventSubscribersPage'),
});

/** Pages for operators of the service. */
export const operationsRoutes = [eventSubscribersRoute] as const;
