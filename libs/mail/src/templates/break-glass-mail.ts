import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface BreakGlassMail extends Branding {
  readonly organizationName: string;
  readonly requesterEmail: string;
  readonly reason: string;
  readonly durationSeconds: number;
  /** Null while it only is a wish. */
  readonly endsAt: Date | null;
}

/** Tells an owner of emergency access that was asked for, or granted. */
export function breakGlassMail(about: BreakGlassMail): MailContent {
  const { organizationName, requesterEmail, reason, durationSeconds, endsAt, primaryColor, logo } = about;
  const minutes = Math.ceil(durationSeconds / 60);
  const heading = endsAt ? 'Emergency access was granted' : 'Somebody asks for emergency access';
  const what = endsAt
    ? `${requesterEmail} has the rights of an owner of ${organizationName} until ${momentText(endsAt)}.`
    : `${requesterEmail} asks for the rights of an owner of ${organizationName} for ${minutes} minutes.`;
  return layOutMail({
    organizationName,
    subject: `${heading} (${organizationName})`,
    heading,
    paragraphs: [what, `The reason given: ${reason}`],
    action: undefined,
    footer: endsAt
      ? 'If this should not be, end it at once: any owner can.'
      : 'Another owner, or the operator of this service, has to decide. If you do not know of this, deny it.',
    primaryColor,
    logo,
  });
}
