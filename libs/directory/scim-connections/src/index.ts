export { isManagedByCaller, ScimManagementService } from './scim-management.service.js';
export { ScimConnectionsModule } from './scim-connections.module.js';
export { ScimTokenLookupService } from './scim-token-lookup.service.js';
export { SCIM_TOKEN_PREFIX } from './scim-tokens.service.js';
