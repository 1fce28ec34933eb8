export {
  type GainAuthorization,
  type LossAuthorization,
  type PolicyAuthorization,
  type ReplacementAuthorization,
  type SignInAuthorization,
} from './authorization.js';
export { AllPermissionsRequired, HigherPrivileges, HigherPrivilegesDeleted } from './privilege-errors.js';
export { PrivilegesModule } from './privileges.module.js';
export { exceedsPermissions, type PolicyChange, PrivilegesService } from './privileges.service.js';
export { UNNEEDED, unneeded } from './unneeded-authorizations.js';
export { type UserGrant, UserGrants, type UserKey } from './user-grants.js';
