import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { breakGlassFilters } from './break-glass/break-glass-queries';

const pages = () => import('./pages');

const pageOf = (search: Record<string, unknown>): { page?: number } => {
  const { page } = search;
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
};

const apiKeysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'api-keys',
  validateSearch: ({ key, ...search }: Record<string, unknown>): { page?: number; key?: string } => ({
    ...pageOf(search),
    ...(typeof key === 'string' && { key }),
  }),
  component: lazyPage(pages, 'ApiKeysPage'),
});

const newApiKeyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'api-keys/new',
  component: lazyPage(pages, 'NewApiKeyPage'),
});

const identityProvidersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'identity-providers',
  validateSearch: pageOf,
  component: lazyPage(pages, 'IdentityProvidersPage'),
});

const newIdentityProviderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'identity-providers/new',
  component: lazyPage(pages, 'NewIdentityProviderPage'),
});

const identityProviderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'identity-providers/$providerId',
  component: lazyPage(pages, 'IdentityProviderPage'),
});

const domainsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'domains',
  component: lazyPage(pages, 'DomainsPage'),
});

const scimConnectionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'scim',
  validateSearch: pageOf,
  component: lazyPage(pages, 'ScimConnectionsPage'),
});

const scimConnectionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'scim/$connectionId',
  component: lazyPage(pages, 'ScimConnectionPage'),
});

const setupLinksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'setup-links',
  validateSearch: pageOf,
  component: lazyPage(pages, 'SetupLinksPage'),
});

const breakGlassRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'break-glass',
  validateSearch: (search: Record<string, unknown>) => ({ ...pageOf(search), ...breakGlassFilters(search) }),
  component: lazyPage(pages, 'BreakGlassPage'),
});

const impersonationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'impersonations',
  validateSearch: pageOf,
  component: lazyPage(pages, 'ImpersonationsPage'),
});

export const connectionRoutes = [
  impersonationsRoute,
  apiKeysRoute,
  newApiKeyRoute,
  identityProvidersRoute,
  newIdentityProviderRoute,
  identityProviderRoute,
  domainsRoute,
  scimConnectionsRoute,
  scimConnectionRoute,
  setupLinksRoute,
  breakGlassRoute,
] as const;
