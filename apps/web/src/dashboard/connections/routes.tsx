import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { pagingIn, type Paging } from '../../ui/paging';
import { organizationRoute } from '../root-routes';
import { breakGlassFilters } from './break-glass/break-glass-queries';

const pages = () => import('./pages');

const apiKeysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'api-keys',
  validateSearch: ({ key, ...search }: Record<string, unknown>): Paging & { readonly key?: string } => ({
    ...pagingIn(search),
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
  validateSearch: pagingIn,
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
  validateSearch: pagingIn,
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
  validateSearch: pagingIn,
  component: lazyPage(pages, 'SetupLinksPage'),
});

const sharedSignalsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'shared-signals',
  validateSearch: pagingIn,
  component: lazyPage(pages, 'StreamsPage'),
});

const breakGlassRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'break-glass',
  validateSearch: (search: Record<string, unknown>) => ({ ...pagingIn(search), ...breakGlassFilters(search) }),
  component: lazyPage(pages, 'BreakGlassPage'),
});

const impersonationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'impersonations',
  validateSearch: pagingIn,
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
  sharedSignalsRoute,
  breakGlassRoute,
] as const;
