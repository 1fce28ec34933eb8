import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { pagingIn } from '../../ui/paging';
import { organizationRoute } from '../root-routes';

const pages = () => import('./pages');

const listsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'application-lists',
  component: lazyPage(pages, 'ApplicationLists'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications',
  validateSearch: pagingIn,
  component: lazyPage(pages, 'ApplicationsPage'),
});

const apisRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/apis',
  validateSearch: pagingIn,
  component: lazyPage(pages, 'ApisPage'),
});

const accessRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/access',
  validateSearch: pagingIn,
  component: lazyPage(pages, 'GrantsPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => listsRoute,
  path: 'applications/requests',
  validateSearch: pagingIn,
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
  validateSearch: pagingIn,
  component: lazyPage(pages, 'ApplicationAccessTab'),
});

const logoutRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'logout',
  validateSearch: pagingIn,
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
