import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { profileRoutes } from '../account/profile/routes';
import { setupRoute } from '../setup/routes';
import { gettingStartedRoute } from '../dashboard/organizations/routes';
import { dashboardRoutes } from '../dashboard/routes';
import { rootRoute } from './root-route';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard' });
  },
});

/** The router of the dashboard and account pages. Each group of pages is loaded on first use. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([homeRoute, profileRoutes, setupRoute, gettingStartedRoute, dashboardRoutes]),
  defaultPreload: false,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
