import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { breakGlassFilters } from './break-glass/break-glass-queries';

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
  component: lazyPage(() => import('./api-keys/api-keys-page'), 'ApiKeysPage'),
});

const newApiKeyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'api-keys/new',
  component: lazyPage(() => import('./api-keys/new-api-key-page'), 'NewApiKeyPage'),
});

const identityProvidersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'identity-providers',
  validateSearch: pageOf,
  component: lazyPage(() => import('./identity-providers/identity-providers-page'), 'IdentityProvidersPage'),
});

const newIdentityProviderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'identity-providers/new',
  component: lazyPage(() => import('./identity-providers/new-identity-provider-page'), 'NewIdentityProviderPage'),
});

const identityProviderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'identity-providers/$providerId',
  component: lazyPage(() => import('./identity-providers/identity-provider-page'), 'IdentityProviderPage'),
});

const domainsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'domains',
  component: lazyPage(() => import('./domains/domains-page'), 'DomainsPage'),
});

const scimConnectionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'scim',
  validateSearch: pageOf,
  component: lazyPage(() => import('./scim/scim-connections-page'), 'ScimConnectionsPage'),
});

const scimConnectionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'scim/$connectionId',
  component: lazyPage(() => import('./scim/scim-connection-page'), 'ScimConnectionPage'),
});

const setupLinksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'setup-links',
  validateSearch: pageOf,
  component: lazyPage(() => import('./setup-links/setup-links-page'), 'SetupLinksPage'),
});

const breakGlassRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'break-glass',
  validateSearch: (search: Record<string, unknown>) => ({ ...pageOf(search), ...breakGlassFilters(search) }),
  component: lazyPage(() => import('./break-glass/break-glass-page'), 'BreakGlassPage'),
});

const impersonationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'impersonations',
  validateSearch: pageOf,
  component: lazyPage(() => import('./impersonations/impersonations-page'), 'ImpersonationsPage'),
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
