import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { profileRoutes, signedInRoute } from '../account/profile/routes';
import { referenceRoutes } from '../reference/routes';
import { setupRoute } from '../setup/routes';
import { gettingStartedRoute } from '../dashboard/organizations/routes';
import { dashboardRoutes } from '../dashboard/routes';
import { FrameError } from './frame-error';
import { rootRoute } from './root-route';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard' });
  },
});

/** Creates the router of the dashboard and account pages. Each group of pages is loaded on first use. */
export const createPageRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([
      homeRoute,
      profileRoutes,
      signedInRoute,
      setupRoute,
      referenceRoutes,
      gettingStartedRoute,
      dashboardRoutes,
    ]),
    // On hover and focus of a link. The loaders load only the first page, so it loads only code.
    defaultPreload: 'intent',
    defaultErrorComponent: FrameError,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
