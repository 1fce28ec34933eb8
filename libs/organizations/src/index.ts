export { DefaultRoles } from './default-roles.repository.js';
export { EffectiveSettings } from './effective-settings.js';
export { OrganizationSuspended } from './organization-errors.js';
export { Organization } from './organization.entity.js';
export { type OrganizationFollower, OrganizationFollowers, RoleReferences } from './organization-ports.js';
export { OrganizationPurge } from './organization-purge.service.js';
export { OrganizationScopes } from './organization-scopes.read.js';
export { OrganizationsModule } from './organizations.module.js';
export type { OrganizationSettings, PasswordPolicy } from './settings/settings.js';
