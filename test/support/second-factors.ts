import { Clock } from '#platform/common';
import type { TestApp } from './app.js';
import { codeOf } from './authenticator-app.js';
import type { PendingResponse } from './http-client.js';
import { mailsTo } from './mailbox.js';
import { activeUser, login, PASSWORD } from './sign-in.js';

const STEP_MS = 30_000;

export interface WithTotp {
  org: string;
  id: string;
  email: string;
  /** The token of the session after the addition of the app. */
  token: string;
  secret: string;
  recoveryCodes: string[];
}

let counter = 0;

/** Creates an active user with the password `PASSWORD` and signs the user in. */
export async function signedInUser(app: TestApp, org: string): Promise<Pick<WithTotp, 'org' | 'id' | 'email' | 'token'>> {
  const email = `factor-${++counter}@example.com`;
  const { id } = await activeUser(app, org, { email });
  const { body } = await login(app, org, email).expect(200);
  return { org, id, email, token: body.data.sessionToken };
}

/** Advances the clock of the service by `byMs`. */
export function moveClock(app: TestApp, byMs: number): void {
  const clock = app.app.get(Clock);
  const offsetMs = clock.now().getTime() - Date.now() + byMs;
  clock.now = () => new Date(Date.now() + offsetMs);
}

/** Stops the clock of the service until the next call of `moveClock`. */
export function stopClock(app: TestApp): void {
  const clock = app.app.get(Clock);
  const now = clock.now();
  clock.now = () => now;
}

/** Advances the clock to the next time step, and returns the code of the authenticator app for this step. */
export function freshCode(app: TestApp, secret: string): string {
  moveClock(app, STEP_MS);
  return codeOf(secret, app.app.get(Clock).now());
}

/** Adds an authenticator app in a session. Returns the secret, the recovery codes and the new token of the session. */
export async function addTotp(app: TestApp, token: string): Promise<{ secret: string; recoveryCodes: string[]; token: string }> {
  const client = app.api.as(token);
  const { secret } = (await client.post('/v1/auth/mfa/totp', {}).expect(200)).body.data;
  const added = (await client.post('/v1/auth/mfa/totp/confirm', { code: freshCode(app, secret) }).expect(200)).body.data;
  return { secret, recoveryCodes: added.recoveryCodes, token: added.sessionToken ?? token };
}

export async function userWithTotp(app: TestApp, organization: string): Promise<WithTotp> {
  const user = await signedInUser(app, organization);
  return { ...user, ...(await addTotp(app, user.token)) };
}

/** Signs in a user with a second factor by password. Returns the MFA challenge. */
export async function challenge(
  app: TestApp,
  organization: string,
  email: string,
): Promise<{ challengeToken: string; methods: string[] }> {
  const { body } = await login(app, organization, email, PASSWORD).expect(200);
  if (body.data.mfaRequired !== true) throw new Error(`No second factor was asked for: ${JSON.stringify(body)}`);
  return body.data;
}

export const verify = (app: TestApp, challengeToken: string, method: string, code: string): PendingResponse =>
  app.api.anonymous.post('/v1/auth/mfa/verify', { challengeToken, method, code });

/** Returns the code of the newest message to an address or phone number. */
export async function sentCode(app: TestApp, to: string): Promise<string> {
  const message = (await mailsTo(app, to)).find(({ template }) => template === 'security_code');
  const code = message && /\b\d{6}\b/.exec(message.text)?.[0];
  if (code === undefined) throw new Error(`No code was sent to ${to}.`);
  return code;
}
