export { EffectiveSettings } from './effective-settings.js';
export { OrganizationSuspended } from './organization-errors.js';
export { Organization } from './organization.entity.js';
export { RoleReferences } from './organization-ports.js';
export { OrganizationScopes } from './organization-scopes.read.js';
export { OrganizationsModule } from './organizations.module.js';
export type { OrganizationSettings, PasswordPolicy } from './settings/settings.js';
