import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

/** Returns the code of an authenticator app for the time `at` plus `steps` steps of 30 seconds. */
export function codeOf(secret: string, at: Date = new Date(), steps = 0): string {
  const totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: at.getTime() + steps * STEP_MS });
}
