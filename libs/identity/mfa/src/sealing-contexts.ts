/** Binds an encrypted secret to its row. A copy in another row can't be decrypted. */
export const totpContext = (userId: string): string => `totp_factors|seed|${userId}`;

export const codeContext = (tokenHash: Buffer): string => `mfa_challenges|code|${tokenHash.toString('hex')}`;

export const enrolmentContext = (userId: string, method: string): string => `mfa_enrolments|${method}|${userId}`;
