import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { rootRoute } from '../../app/root-route';
import { requireSession } from '../../app/require-session';
import { SIGNED_IN_PAGE } from '../reauthentication/signed-in-channel';

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'own-account',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./account-shell'), 'AccountShell'),
});

const profileRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account',
  component: lazyPage(() => import('./profile-page'), 'ProfilePage'),
});

const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/security',
  component: lazyPage(() => import('./security-page'), 'SecurityPage'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/sessions',
  component: lazyPage(() => import('./sessions-page'), 'SessionsPage'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/applications',
  component: lazyPage(() => import('./applications-page'), 'ApplicationsPage'),
});

const actingForYouRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/acting-for-you',
  component: lazyPage(() => import('./acting/acting-for-you-page'), 'ActingForYouPage'),
});

/** Without the frame of the account pages, because the tab closes at once. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SIGNED_IN_PAGE,
  beforeLoad: requireSession,
  component: lazyPage(() => import('./signed-in-page'), 'SignedInPage'),
});

export const profileRoutes = accountRoute.addChildren([
  profileRoute,
  securityRoute,
  sessionsRoute,
  applicationsRoute,
  actingForYouRoute,
]);
