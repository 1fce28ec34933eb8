import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { rootRoute } from '../../app/root-route';
import { requireSession } from '../../app/require-session';
import { SIGNED_IN_PAGE } from '../reauthentication/signed-in-channel';

const pages = () => import('./pages');

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'own-account',
  beforeLoad: requireSession,
  component: lazyPage(pages, 'AccountShell'),
});

const profileRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account',
  component: lazyPage(pages, 'ProfilePage'),
});

const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/security',
  component: lazyPage(pages, 'SecurityPage'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/sessions',
  component: lazyPage(pages, 'SessionsPage'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/applications',
  component: lazyPage(pages, 'ApplicationsPage'),
});

const actingForYouRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/account/acting-for-you',
  component: lazyPage(pages, 'ActingForYouPage'),
});

/** Without the frame of the account pages, because the tab closes at once. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SIGNED_IN_PAGE,
  beforeLoad: requireSession,
  component: lazyPage(pages, 'SignedInPage'),
});

export const profileRoutes = accountRoute.addChildren([
  profileRoute,
  securityRoute,
  sessionsRoute,
  applicationsRoute,
  actingForYouRoute,
]);
