import type { OrganizationSettings } from '#directory/organizations';

/** A method of second factors, which users add to their account and organizations allow with `mfaMethods`. */
export type FactorMethod = OrganizationSettings['mfaMethods'][number];

/** A method that completes a challenge. */
export type MfaMethod = FactorMethod | 'recovery_code';

export const MFA_METHOD_NAMES: readonly MfaMethod[] = ['passkey', 'totp', 'email', 'sms', 'recovery_code'];

/** A method that sends codes to the user. */
export type CodeMethod = 'email' | 'sms';

/**
 * Returns whether the method sends codes, which can be intercepted or redirected (NIST SP 800-63B-4, 3.1.3.3; OWASP ASVS 6.6.1).
 * Such methods are labeled, and require a stronger factor if the organization allows one.
 */
export const isRestricted = (method: MfaMethod): boolean => method === 'email' || method === 'sms';
