export { FederationModule } from './federation.module.js';
export { OidcCleanup } from './oidc/oidc-cleanup.js';
