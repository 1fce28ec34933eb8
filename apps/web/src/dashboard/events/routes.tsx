import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { eventFilters } from './event-filters';

const pages = () => import('./pages');

const eventLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'events',
  validateSearch: eventFilters,
  component: lazyPage(pages, 'EventLogPage'),
});

const verificationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'events/verification',
  component: lazyPage(pages, 'VerificationPage'),
});

export const eventRoutes = [eventLogRoute, verificationRoute] as const;
