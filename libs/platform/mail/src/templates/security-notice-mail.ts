import type { MailContent } from '../outbox/message-content.js';
import { type TextId, textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export type SecurityNotice =
  | { readonly kind: 'password_changed' | 'factors_removed' | 'recovery_codes_renewed' }
  /** `link` cancels the change. */
  | { readonly kind: 'email_change_requested'; readonly to: string; readonly link: string }
  | { readonly kind: 'factor_added' | 'factor_removed'; readonly method: 'totp' | 'passkey' | 'email' | 'sms' }
  /** `left` is the number of unused recovery codes. */
  | { readonly kind: 'recovery_code_used'; readonly left: number };

export interface SecurityNoticeMail extends MailStyle {
  readonly organizationName: string;
  readonly notice: SecurityNotice;
  readonly at: Date;
}

const TEXTS: Readonly<Record<SecurityNotice['kind'], { readonly heading: TextId; readonly text: TextId }>> = {
  password_changed: { heading: 'securityNotice.passwordChanged.heading', text: 'securityNotice.passwordChanged.text' },
  email_change_requested: {
    heading: 'securityNotice.emailChangeRequested.heading',
    text: 'securityNotice.emailChangeRequested.text',
  },
  factor_added: { heading: 'securityNotice.factorAdded.heading', text: 'securityNotice.factorAdded.text' },
  factor_removed: { heading: 'securityNotice.factorRemoved.heading', text: 'securityNotice.factorRemoved.text' },
  factors_removed: { heading: 'securityNotice.factorsRemoved.heading', text: 'securityNotice.factorsRemoved.text' },
  recovery_code_used: { heading: 'securityNotice.recoveryCodeUsed.heading', text: 'securityNotice.recoveryCodeUsed.text' },
  recovery_codes_renewed: {
    heading: 'securityNotice.recoveryCodesRenewed.heading',
    text: 'securityNotice.recoveryCodesRenewed.text',
  },
};

/** Notifies a user of a security change, so that the change can't go unnoticed (OWASP ASVS 6.3.7). */
export function securityNoticeMail({ organizationName, notice, at, ...style }: SecurityNoticeMail): MailContent {
  const { text, moment } = textsFor(style.locale);
  const { kind, ...details } = notice;
  const heading = text(TEXTS[kind].heading);
  return layOutMail({
    ...style,
    organizationName,
    subject: text('securityNotice.subject', { heading, organizationName }),
    heading,
    paragraphs: [text(TEXTS[kind].text, { organizationName, at: moment(at), ...details })],
    action:
      notice.kind === 'email_change_requested'
        ? { label: text('securityNotice.emailChangeRequested.action'), link: notice.link }
        : undefined,
    footer: text('securityNotice.footer', { organizationName }),
  });
}
