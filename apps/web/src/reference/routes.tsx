import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page';
import { rootRoute } from '../app/root-route';

const pages = () => import('./pages');

const layoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  component: lazyPage(pages, 'ReferenceLayout'),
});

const introductionRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/',
  component: lazyPage(pages, 'IntroductionPage'),
});

const operationRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'operations/$operation',
  component: lazyPage(pages, 'OperationPage'),
});

/** The API reference, which needs no session. The paths must match `apps/server/src/web/pages.ts`. */
export const referenceRoutes = layoutRoute.addChildren([introductionRoute, operationRoute]);
