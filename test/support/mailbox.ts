import type { TestApp } from './app.js';

export interface MailboxMail {
  template: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
}

/** Returns the emails to an address in the development mailbox, newest first. */
export async function mailsTo(app: TestApp, address: string): Promise<MailboxMail[]> {
  const { body } = await app.api.anonymous.get(`/dev/mailbox.json?to=${encodeURIComponent(address)}`).expect(200);
  return body.data;
}
