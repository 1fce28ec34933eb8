export { type AssertedUser, AssertedUsersService } from './assertions/asserted-users.service.js';
export { FederationModule } from './federation.module.js';
export { OidcCleanupService } from './oidc/oidc-cleanup.service.js';
