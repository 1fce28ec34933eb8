export { AsOf } from './as-of/as-of.guard.js';
export { SignInBrandingResponse } from './branding/branding.responses.js';
export { ApiLogo, LOGO_RULES, sendLogo } from './branding/logo-response.js';
export { LogosService } from './branding/logos.service.js';
export type { OrganizationFields } from './configuration/organization-fields.configuration.js';
export {
  type ConfiguredOrganization,
  type OrganizationFieldsChange,
  OrganizationsConfigurationService,
} from './configuration/organizations-configuration.service.js';
export { DefaultRolesService } from './default-roles.service.js';
export { RESTORE_WINDOW_MS, restorableUntil } from './restore-window.js';
export { DomainVerification } from './identity-providers/domain-verification.js';
export { EffectiveSettingsService } from './effective-settings.service.js';
export { PROVIDER_TYPES } from './identity-providers/provider-types.js';
export {
  type LinkableProvider,
  type SignInProvider,
  SignInProvidersService,
} from './identity-providers/sign-in-providers.service.js';
export { MailDefaultsService } from './mail-defaults.service.js';
export {
  type InheritedGrant,
  type InheritedRole,
  type InheritedWebhook,
  OrganizationInheritance,
  type OrganizationInheritanceHandler,
} from './moving/organization-inheritance.js';
export { OrganizationCreationService } from './organization-creation.service.js';
export { assertActive, OrganizationPending, OrganizationSuspended } from './organization-errors.js';
export { type Branding } from './organization.entity.js';
export {
  type MailRecipient,
  type OrganizationLifecycleHandler,
  OrganizationLifecycleHandlers,
  OwnerAddresses,
  RoleLookup,
} from './organization-ports.js';
export { OrganizationPurgeService } from './organization-purge.service.js';
export { OrganizationScopeQuery, SCOPE_COLUMNS } from './organization-scope.query.js';
export { OrganizationsModule } from './organizations.module.js';
export { SLUG_PATTERN } from './slug.js';
export { SessionRequirementsQuery } from './session-requirements.query.js';
export { PreviewedOrganizationResponse } from './settings/settings-explained.requests.js';
export type { PreviewedOrganization } from './settings/settings-explained.service.js';
export { PasswordPolicyResponse } from './settings/settings.responses.js';
export { findUnmetRule, isTooOld, lacksSecondFactor, strictestSettings } from './settings/session-rules.js';
export { LAYERS_AS_JSON } from './settings/settings-layers.query.js';
export {
  IMPERSONATION_APPROVALS,
  type ImpersonationApproval,
  MFA_METHODS,
  type OrganizationSettings,
  type PasswordPolicy,
  resolveSettings,
  type SettingsLayer,
} from './settings/settings.js';
