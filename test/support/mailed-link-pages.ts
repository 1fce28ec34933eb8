import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import type { TestBody } from './http-client.js';
import { startMailReceiver } from './mail-receiver.js';
import { made, newAddress } from './organizations.js';
import { testServer } from './test-server.js';
import { testPage, testSite } from './web.js';

export type MailedLinkPages = ReturnType<typeof mailedLinkPages>;

/** Starts a service that sends emails by SMTP, and a browser page, before the tests of the file. Only tests and hooks can use them. */
export function mailedLinkPages() {
  const receiver = testServer(startMailReceiver);
  const app = testSite(() => ({ smtpUrl: receiver.url }));
  return { app, receiver, page: testPage(app) };
}

/** Creates a user, and sends an invitation unless `fields` sets `sendInvitation` to false. */
export const invite = (app: TestApp, organization: TestBody, fields: object = {}): Promise<TestBody> =>
  made(app, `/v1/organizations/${organization.id}/users`, { email: newAddress(), sendInvitation: true, ...fields });

/** Returns the status of the user with an email address. */
export async function statusOf(app: TestApp, organization: TestBody, email: string): Promise<string> {
  const { body } = await app.api.platform.get(`/v1/organizations/${organization.id}/users?email=${email}`).expect(200);
  return body.data[0].status;
}

/** Returns the link to `path` in the email that `send` triggers. Skips emails without the link. */
export async function linkAfter({ receiver }: MailedLinkPages, send: () => Promise<unknown>, path: string): Promise<URL> {
  let seen = receiver.mails.length;
  await send();
  for (;;) {
    const mails = await receiver.waitFor(seen + 1, 20_000);
    const [link] = new RegExp(`https?:\\S+${path}\\S+`).exec(mails[seen++]!.text) ?? [];
    if (link) return new URL(link);
  }
}

/** Fills in the fields "Password" and "Confirm password". */
export async function choosePassword({ page }: MailedLinkPages, password: string, repeated = password): Promise<void> {
  await page.getByLabel(/^(New p|P)assword$/).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(repeated);
}

/** Expects that the URL and the storage of the page do not contain the token. */
export async function expectTokenGone({ page }: MailedLinkPages, token: string): Promise<void> {
  expect(page.url()).not.toContain(token);
  const kept = 'JSON.stringify([history.state, {...localStorage}, {...sessionStorage}, document.cookie])';
  expect(await page.evaluate(kept)).not.toContain(token);
}
