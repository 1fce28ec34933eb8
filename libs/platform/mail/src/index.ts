export { MailModule } from './mail.module.js';
export type { MailContent } from './outbox/message-content.js';
export { MessageOutbox, type OutgoingMail, type OutgoingSms } from './outbox/message-outbox.js';
export { type BreakGlassMail, breakGlassMail } from './templates/break-glass-mail.js';
export { type AccountExistsMail, accountExistsMail } from './templates/account-exists-mail.js';
export { type EmailChangeConfirmationMail, emailChangeConfirmationMail } from './templates/email-change-confirmation-mail.js';
export { type EmailChangedMail, emailChangedMail } from './templates/email-changed-mail.js';
export { type EmailVerificationMail, emailVerificationMail } from './templates/email-verification-mail.js';
export { type InvitationMail, invitationMail } from './templates/invitation-mail.js';
export { type MailStyle, mailStyle } from './templates/layout.js';
export { type MemberAddedMail, memberAddedMail } from './templates/member-added-mail.js';
export { type SecurityCodeMail, securityCodeMail, securityCodeSms } from './templates/security-code.js';
export { type SecurityNotice, type SecurityNoticeMail, securityNoticeMail } from './templates/security-notice-mail.js';
export {
  type WebhookDisabledMail,
  webhookDisabledMail,
  type WebhookFailingMail,
  webhookFailingMail,
} from './templates/webhook-mails.js';
export { type PasswordResetMail, passwordResetMail } from './templates/password-reset-mail.js';
export { escapeHtml } from './templates/text.js';
