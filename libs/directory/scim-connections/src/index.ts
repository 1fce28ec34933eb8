export { isManagedByCaller, ScimManagementService } from './scim-management.service.js';
export { ScimConnectionsModule } from './scim-connections.module.js';
export { SCIM_TOKEN_PREFIX, ScimTokensService } from './scim-tokens.service.js';
export { ScimActivationService } from './limits/scim-activation.service.js';
export type { Removal } from './limits/scim-removals.query.js';
export { ScimLimitExceeded, ScimLimitsService } from './limits/scim-limits.service.js';
export { ScimConnectionStopped } from './scim-connection-errors.js';
export type { ScimConnection, ScimMode } from './scim-connection.entity.js';
export { ScimConnectionsService } from './scim-connections.service.js';
