import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** 160 bits (RFC 4226, section 4, R6). */
const SEED_BYTES = 20;
/** The previous and the next step are accepted, because phone clocks can be wrong (RFC 6238, 5.2). */
const TOLERATED_STEPS = 1;

export const newTotpSeed = (): string => new Secret({ size: SEED_BYTES }).base32;

/** Returns the `otpauth://` URI for a QR code. Many authenticator apps support only the algorithm SHA-1. */
export const totpUri = (seed: string, issuer: string, account: string): string =>
  // Some apps read the first colon as the end of the issuer, even an escaped colon.
  totpOf(seed, { issuer: issuer.replaceAll(':', ' '), label: account }).toString();

/** Returns the time step of a code, or null for a wrong code. Steps of 30 s are counted from 1970 (RFC 6238). */
export function matchingStep(seed: string, code: string, now: Date): number | null {
  const digits = code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = totpOf(seed).validate({ token: digits, timestamp: now.getTime(), window: TOLERATED_STEPS });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / STEP_SECONDS) + delta;
}

const totpOf = (seed: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, algorithm: 'SHA1', digits: DIGITS, period: STEP_SECONDS, secret: Secret.fromBase32(seed) });
