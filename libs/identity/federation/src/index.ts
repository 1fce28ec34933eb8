export { FederationModule } from './federation.module.js';
export { OidcCleanupService } from './oidc/oidc-cleanup.service.js';
