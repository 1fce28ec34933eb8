import type { UserKey } from '#directory/sessions';

/** To what sealed secrets are bound, so that one copied to another row opens nothing there. */
export const totpContext = ({ id }: UserKey): string => `totp_factors|seed|${id}`;

export const codeContext = (tokenHash: Buffer): string => `mfa_challenges|code|${tokenHash.toString('hex')}`;

export const enrolmentContext = (userId: string, method: string): string => `mfa_enrolments|${method}|${userId}`;
