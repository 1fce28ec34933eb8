import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../root-routes';

const pageOf = ({ page }: Record<string, unknown>): { page?: number } =>
  typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};

const listsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'application-lists',
  component: lazyRouteComponent(() => import('./application-lists'), 'ApplicationLists'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./applications-page'), 'ApplicationsPage'),
});

const apisRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/apis',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./apis/apis-page'), 'ApisPage'),
});

const accessRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/access',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./grants-page'), 'GrantsPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/requests',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./requests-page'), 'RequestsPage'),
});

const newApplicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/new',
  component: lazyRouteComponent(() => import('./new-application-page'), 'NewApplicationPage'),
});

const newApiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/apis/new',
  component: lazyRouteComponent(() => import('./apis/new-api-page'), 'NewApiPage'),
});

const apiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/apis/$apiId',
  component: lazyRouteComponent(() => import('./apis/api-page'), 'ApiPage'),
});

const applicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/$clientId',
  component: lazyRouteComponent(() => import('./application-layout'), 'ApplicationLayout'),
});

const connectRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./connect-tab'), 'ConnectTab'),
});

const secretsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'secrets',
  component: lazyRouteComponent(() => import('./secrets-tab'), 'SecretsTab'),
});

const applicationAccessRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'access',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./application-access-tab'), 'ApplicationAccessTab'),
});

const settingsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings-tab'), 'SettingsTab'),
});

export const applicationRoutes = [
  listsRoute.addChildren([applicationsRoute, apisRoute, accessRoute, requestsRoute]),
  newApplicationRoute,
  newApiRoute,
  apiRoute,
  applicationRoute.addChildren([connectRoute, secretsRoute, applicationAccessRoute, settingsRoute]),
] as const;
