import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { requireSession } from '../../app/require-session';

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'own-account',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./account-shell'), 'AccountShell'),
});

const profileRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./profile-page'), 'ProfilePage'),
});

const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/security',
  component: lazyRouteComponent(() => import('./security-page'), 'SecurityPage'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/sessions',
  component: lazyRouteComponent(() => import('./sessions-page'), 'SessionsPage'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/applications',
  component: lazyRouteComponent(() => import('./applications-page'), 'ApplicationsPage'),
});

const actingForYouRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/acting-for-you',
  component: lazyRouteComponent(() => import('./acting/acting-for-you-page'), 'ActingForYouPage'),
});

export const profileRoutes = accountRoute.addChildren([
  profileRoute,
  securityRoute,
  sessionsRoute,
  applicationsRoute,
  actingForYouRoute,
]);
