import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';
import { singleLine } from './text.js';

export interface SecurityCodeMail extends MailStyle {
  readonly organizationName: string;
  /** The digits of a single-use code. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** Creates a mail with a code. The code proves that the reader owns the address. */
export function securityCodeMail({ organizationName, code, expiresAt, ...style }: SecurityCodeMail): MailContent {
  const { text, moment } = textsFor(style.locale);
  return layOutMail({
    ...style,
    organizationName,
    subject: text('securityCode.subject', { organizationName }),
    heading: text('securityCode.heading', { code }),
    paragraphs: [text('securityCode.text', { organizationName, expiresAt: moment(expiresAt) }), text('securityCode.secrecy')],
    footer: text('securityCode.footer'),
  });
}

/** Maximum length of a name in an SMS, in characters. Longer texts are sent as several SMS. */
const MAX_NAME_LENGTH = 100;

/** Returns the text of an SMS with a code. The code proves that the reader owns the phone number. */
export function securityCodeSms({ organizationName, code, locale }: Omit<SecurityCodeMail, 'expiresAt'>): string {
  const name = singleLine(organizationName).slice(0, MAX_NAME_LENGTH);
  return textsFor(locale).text('securityCode.sms', { code, organizationName: name });
}
