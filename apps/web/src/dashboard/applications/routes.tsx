import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';

const pageOf = ({ page }: Record<string, unknown>): { page?: number } =>
  typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};

const listsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'application-lists',
  component: lazyPage(() => import('./application-lists'), 'ApplicationLists'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications',
  validateSearch: pageOf,
  component: lazyPage(() => import('./applications-page'), 'ApplicationsPage'),
});

const apisRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/apis',
  validateSearch: pageOf,
  component: lazyPage(() => import('./apis/apis-page'), 'ApisPage'),
});

const accessRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/access',
  validateSearch: pageOf,
  component: lazyPage(() => import('./grants-page'), 'GrantsPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/requests',
  validateSearch: pageOf,
  component: lazyPage(() => import('./requests-page'), 'RequestsPage'),
});

const newApplicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/new',
  component: lazyPage(() => import('./new-application-page'), 'NewApplicationPage'),
});

const newApiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/apis/new',
  component: lazyPage(() => import('./apis/new-api-page'), 'NewApiPage'),
});

const apiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/apis/$apiId',
  component: lazyPage(() => import('./apis/api-page'), 'ApiPage'),
});

const applicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/$clientId',
  component: lazyPage(() => import('./application-layout'), 'ApplicationLayout'),
});

const connectRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/',
  component: lazyPage(() => import('./connect-tab'), 'ConnectTab'),
});

const secretsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'secrets',
  component: lazyPage(() => import('./secrets-tab'), 'SecretsTab'),
});

const applicationAccessRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'access',
  validateSearch: pageOf,
  component: lazyPage(() => import('./application-access-tab'), 'ApplicationAccessTab'),
});

const logoutRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'logout',
  validateSearch: pageOf,
  component: lazyPage(() => import('./logout-tab'), 'LogoutTab'),
});

const settingsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'settings',
  component: lazyPage(() => import('./settings-tab'), 'SettingsTab'),
});

export const applicationRoutes = [
  listsRoute.addChildren([applicationsRoute, apisRoute, accessRoute, requestsRoute]),
  newApplicationRoute,
  newApiRoute,
  apiRoute,
  applicationRoute.addChildren([connectRoute, secretsRoute, applicationAccessRoute, logoutRoute, settingsRoute]),
] as const;
