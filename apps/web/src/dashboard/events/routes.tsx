import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { eventFilters } from './event-filters';

const eventLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'events',
  validateSearch: eventFilters,
  component: lazyPage(() => import('./event-log-page'), 'EventLogPage'),
});

const verificationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'events/verification',
  component: lazyPage(() => import('./verification-page'), 'VerificationPage'),
});

export const eventRoutes = [eventLogRoute, verificationRoute] as const;
