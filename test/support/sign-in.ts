import { expect } from '@jest/globals';
import { Clock } from '#platform/common';
import type { TestApp } from './app.js';
import type { PendingResponse, RequestOptions, TestBody } from './http-client.js';
import { measured } from './jest/file-time.mjs';
import { mailsTo } from './mailbox.js';

/** A password that meets the default password policy. */
export const PASSWORD = 'lantern orbit velvet quarry';
/** Another password that meets the default password policy. */
export const NEW_PASSWORD = 'marble thicket cobalt ferry';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

interface NewUser {
  email: string;
  roles?: string[];
  firstName?: string;
  lastName?: string;
  locale?: string;
  password?: string;
}

/** Creates an active user of an organization. The default password is `PASSWORD`. */
export const activeUser = (app: TestApp, organization: string, fields: NewUser): Promise<TestBody> =>
  measured('create a user with a password', () => invitedUser(app, organization, fields));

async function invitedUser(app: TestApp, organization: string, fields: NewUser): Promise<TestBody> {
  const { password = PASSWORD, ...user } = fields;
  const path = `/v1/organizations/${organization}/users`;
  const { body } = await app.api.platform.post(path, { ...user, sendInvitation: true }).expect(201);
  const token = await mailedToken(app, user.email, 'invitation');
  await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password }).expect(200);
  return body.data;
}

/** Returns request options with a client IP address. The app must trust the proxy 127.0.0.1 (`TRUST_PROXY`). */
export const from = (address: string, userAgent?: string): RequestOptions => ({
  headers: { 'x-forwarded-for': address, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) },
});

export const login = (
  app: TestApp,
  organization: string,
  email: string,
  password: string = PASSWORD,
  options: RequestOptions = {},
): PendingResponse => app.api.anonymous.post('/v1/auth/login', { organization, email, password }, options);

/** Signs in and returns the token of the session. */
export async function sessionToken(app: TestApp, organization: string, email: string, password?: string): Promise<string> {
  const { body } = await measured('sign in', () => login(app, organization, email, password).expect(200));
  return body.data.sessionToken;
}

/** Returns what a caller with a platform key learns about a session. */
export const verifiedSession = async (app: TestApp, token: string, organization?: string): Promise<TestBody> =>
  (await app.api.platform.post('/v1/sessions/verify', { token, organization }).expect(200)).body.data;

/** Returns the token of the link in the newest email that was sent to `address` with this template. */
export async function mailedToken(app: TestApp, address: string, template: string): Promise<string> {
  const mail = (await mailsTo(app, address)).find((each) => each.template === template);
  const token = mail?.links[0] && new URL(mail.links[0]).searchParams.get('token');
  if (!token) throw new Error(`No mail "${template}" with a link was sent to ${address}.`);
  return token;
}

/** Sends a request about each email address. Asserts that neither the answers nor their times reveal whether an account exists. */
export async function expectNoDisclosure(
  requests: readonly (readonly [email: string, send: () => PendingResponse])[],
  minMs = 195,
): Promise<void> {
  const answers: object[] = [];
  for (const [email, send] of requests) {
    const start = performance.now();
    const { status, body, headers } = await send();
    expect(performance.now() - start).toBeGreaterThan(minMs);
    expect(body).toEqual({ data: { email } });
    answers.push({ status, headers: [...headers.keys()].toSorted() });
  }
  for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 202 });
}

/** Sets the sign-in time of all sessions to 11 minutes ago. Sensitive operations then require a new sign-in. */
export const becomeStale = (app: TestApp): Promise<unknown> =>
  app.database.query(`UPDATE sessions SET authenticated_at = now() - interval '11 minutes'`);

/** Runs a function while the clock of the service is `ms` milliseconds ahead. */
export async function later<T>(app: TestApp, ms: number, run: () => Promise<T>): Promise<T> {
  const clock = app.app.get(Clock);
  const now = clock.now.bind(clock);
  clock.now = () => new Date(now().getTime() + ms);
  try {
    return await run();
  } finally {
    clock.now = now;
  }
}
