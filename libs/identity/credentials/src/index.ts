export { CredentialsModule } from './credentials.module.js';
export { InvitationAcceptanceService } from './invitations/invitation-acceptance.service.js';
export type { LinkPreview, PasswordLinkPreview } from './link-preview.js';
export { PasswordRefused } from './passwords/password-errors.js';
export { PasswordPoliciesService } from './passwords/password-policies.service.js';
export { policyRules } from './passwords/password-policy-check.js';
export { PasswordsService, type PreparedPassword } from './passwords/passwords.service.js';
export { PreviousPasswordsService } from './previous-system/previous-passwords.service.js';
