import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { dashboardRoute } from '../root-routes';

const eventSubscribersRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: 'event-subscribers',
  component: lazyPage(() => import('./event-subscribers-page'), 'EventSubscribersPage'),
});

/** Pages for operators of the service. */
export const operationsRoutes = [eventSubscribersRoute] as const;
