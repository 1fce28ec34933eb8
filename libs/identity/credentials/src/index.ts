export { CredentialsModule } from './credentials.module.js';
export { InvitationAcceptance } from './invitations/invitation-acceptance.service.js';
export type { LinkOffer, PasswordLinkOffer } from './link-offer.js';
export { PasswordRefused } from './passwords/password-errors.js';
export { PasswordPolicies } from './passwords/password-policies.service.js';
export { policyRules } from './passwords/password-policy-check.js';
export { type PasswordChangeMethod, Passwords, type PreparedPassword } from './passwords/passwords.service.js';
