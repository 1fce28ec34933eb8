/** The content of an email. `html` and `text` have the same content. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface SmsContent {
  readonly text: string;
}
