/** The pages of this area, which are loaded together. */

export { ApiKeysPage } from './api-keys/api-keys-page';
export { BreakGlassPage } from './break-glass/break-glass-page';
export { DomainsPage } from './domains/domains-page';
export { IdentityProviderPage } from './identity-providers/identity-provider-page';
export { IdentityProvidersPage } from './identity-providers/identity-providers-page';
export { ImpersonationsPage } from './impersonations/impersonations-page';
export { NewApiKeyPage } from './api-keys/new-api-key-page';
export { NewIdentityProviderPage } from './identity-providers/new-identity-provider-page';
export { ScimConnectionPage } from './scim/scim-connection-page';
export { ScimConnectionsPage } from './scim/scim-connections-page';
export { SetupLinksPage } from './setup-links/setup-links-page';
export { StreamsPage } from './shared-signals/streams-page';
