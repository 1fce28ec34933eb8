/** What encrypted secrets are bound to: a secret that is copied to another row can't be decrypted there. */
export const totpContext = (userId: string): string => `totp_factors|seed|${userId}`;

export const codeContext = (tokenHash: Buffer): string => `mfa_challenges|code|${tokenHash.toString('hex')}`;

export const enrolmentContext = (userId: string, method: string): string => `mfa_enrolments|${method}|${userId}`;
