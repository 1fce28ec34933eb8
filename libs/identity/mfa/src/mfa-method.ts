import type { OrganizationSettings } from '#directory/organizations';

/** A method that users add to their accounts, and that organizations allow with `mfaMethods`. */
export type FactorMethod = OrganizationSettings['mfaMethods'][number];

/** A method that completes a challenge. */
export type MfaMethod = FactorMethod | 'recovery_code';

export const MFA_METHOD_NAMES: readonly MfaMethod[] = ['passkey', 'totp', 'email', 'sms', 'recovery_code'];

export type CodeMethod = 'email' | 'sms';

/**
 * Returns whether the method sends codes, which can be intercepted or redirected (NIST SP 800-63B-4, 3.1.3.3; OWASP ASVS 6.6.1). Such a
 * method requires a stronger factor if the organization allows a stronger factor.
 */
export const isRestricted = (method: MfaMethod): boolean => method === 'email' || method === 'sms';
