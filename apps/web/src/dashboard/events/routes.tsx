import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../root-routes';
import { eventFilters } from './event-filters';

const eventLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'events',
  validateSearch: eventFilters,
  component: lazyRouteComponent(() => import('./event-log-page'), 'EventLogPage'),
});

const verificationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'events/verification',
  component: lazyRouteComponent(() => import('./verification-page'), 'VerificationPage'),
});

export const eventRoutes = [eventLogRoute, verificationRoute] as const;
