export {
  BUILT_IN_ROLES,
  builtInRole,
  EVERY_MEMBERS_PERMISSIONS,
  OWNER_ROLE_ID,
  roleNameOf,
  type VisibleRole,
} from './built-in-roles.js';
export { type RoleReplacement, type RoleUsageHandler, RoleUsage, type RoleUse } from './role-usage.js';
export { RolesModule } from './roles.module.js';
export { RolesService } from './roles.service.js';
