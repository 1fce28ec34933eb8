import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4, R6: 160 bits. */
const SEED_BYTES = 20;
/** Clocks of telephones go wrong: the step before and the step after count too (RFC 6238, 5.2). */
const TOLERATED_STEPS = 1;

/** A new seed in base32, as authenticator apps take it. */
export const newTotpSeed = (): string => new Secret({ size: SEED_BYTES }).base32;

/** The address that an authenticator app reads from a QR code (otpauth://). SHA-1, because many apps know nothing else. */
export const totpUri = (seed: string, issuer: string, account: string): string =>
  // Some apps take the first colon for the end of the issuer, even when it is escaped.
  totpOf(seed, { issuer: issuer.replaceAll(':', ' '), label: account }).toString();

/** The step whose code this is, near `now`; null when it is none. A step is 30 s, counted from 1970 (RFC 6238). */
export function matchingStep(seed: string, code: string, now: Date): number | null {
  const digits = code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = totpOf(seed).validate({ token: digits, timestamp: now.getTime(), window: TOLERATED_STEPS });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / STEP_SECONDS) + delta;
}

const totpOf = (seed: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, algorithm: 'SHA1', digits: DIGITS, period: STEP_SECONDS, secret: Secret.fromBase32(seed) });
