import type { TestApp } from './app.js';
import type { PendingResponse, RequestOptions, TestBody } from './http-client.js';
import { invitationToken } from './mailbox.js';

/** Meets the default policy. */
export const PASSWORD = 'lantern orbit velvet quarry';

/** An active user of an organization, who accepted the invitation with `PASSWORD` or another. */
export async function activeUser(
  app: TestApp,
  organization: string,
  fields: { email: string; roles?: string[]; firstName?: string; password?: string },
): Promise<TestBody> {
  const { password = PASSWORD, ...user } = fields;
  const path = `/v1/organizations/${organization}/users`;
  const { body } = await app.api.platform.post(path, { ...user, sendInvitation: true }).expect(201);
  const token = await invitationToken(app, user.email);
  await app.api.nobody.post('/v1/auth/accept-invitation', { token, password }).expect(200);
  return body.data;
}

/** Where a request seems to come from; the app must believe `TRUST_PROXY` 127.0.0.1. */
export const from = (address: string, userAgent?: string): RequestOptions => ({
  headers: { 'x-forwarded-for': address, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) },
});

export const login = (
  app: TestApp,
  organization: string,
  email: string,
  password: string = PASSWORD,
  options: RequestOptions = {},
): PendingResponse => app.api.nobody.post('/v1/auth/login', { organization, email, password }, options);

/** Signs in and gives the session's token. */
export async function sessionToken(app: TestApp, organization: string, email: string, password?: string): Promise<string> {
  return (await login(app, organization, email, password).expect(200)).body.data.sessionToken;
}
