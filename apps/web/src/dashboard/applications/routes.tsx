import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';

const pages = () => import('./pages');

const pageOf = ({ page }: Record<string, unknown>): { page?: number } =>
  typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};

const listsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'application-lists',
  component: lazyPage(pages, 'ApplicationLists'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications',
  validateSearch: pageOf,
  component: lazyPage(pages, 'ApplicationsPage'),
});

const apisRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/apis',
  validateSearch: pageOf,
  component: lazyPage(pages, 'ApisPage'),
});

const accessRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/access',
  validateSearch: pageOf,
  component: lazyPage(pages, 'GrantsPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/requests',
  validateSearch: pageOf,
  component: lazyPage(pages, 'RequestsPage'),
});

const newApplicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/new',
  component: lazyPage(pages, 'NewApplicationPage'),
});

const newApiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/apis/new',
  component: lazyPage(pages, 'NewApiPage'),
});

const apiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/apis/$apiId',
  component: lazyPage(pages, 'ApiPage'),
});

const applicationRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'applications/$clientId',
  component: lazyPage(pages, 'ApplicationLayout'),
});

const connectRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/',
  component: lazyPage(pages, 'ConnectTab'),
});

const secretsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'secrets',
  component: lazyPage(pages, 'SecretsTab'),
});

const applicationAccessRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'access',
  validateSearch: pageOf,
  component: lazyPage(pages, 'ApplicationAccessTab'),
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
  component: lazyPage(pages, 'SettingsTab'),
});

export const applicationRoutes = [
  listsRoute.addChildren([applicationsRoute, apisRoute, accessRoute, requestsRoute]),
  newApplicationRoute,
  newApiRoute,
  apiRoute,
  applicationRoute.addChildren([connectRoute, secretsRoute, applicationAccessRoute, logoutRoute, settingsRoute]),
] as const;
