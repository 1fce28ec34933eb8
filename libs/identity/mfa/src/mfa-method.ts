import type { OrganizationSettings } from '#directory/organizations';

/** A second factor that users add to their account and organizations allow by `mfaMethods`. */
export type FactorMethod = OrganizationSettings['mfaMethods'][number];

/** What a second factor is proven by at sign-in. */
export type MfaMethod = FactorMethod | 'recovery_code';

export const MFA_METHOD_NAMES: readonly MfaMethod[] = ['passkey', 'totp', 'email', 'sms', 'recovery_code'];

/** Methods by which a code is sent. */
export type CodeMethod = 'email' | 'sms';

/**
 * Codes that are sent can be intercepted or redirected (NIST SP 800-63B-4, 3.1.3.3; OWASP ASVS 6.6.1): they are marked, and stand beside a
 * stronger factor wherever the organization allows one.
 */
export const isRestricted = (method: MfaMethod): boolean => method === 'email' || method === 'sms';
