/** What a one-time token proves. One issued for a purpose is worth nothing for another. */
export type OneTimePurpose = 'invitation' | 'password_reset' | 'email_verification' | 'email_change' | 'email_change_cancel';

/** A proof that was sent to a person. */
export interface OneTimeToken {
  readonly id: string;
  readonly tenantId: string;
  readonly purpose: OneTimePurpose;
  readonly userId: string;
  readonly organizationId: string;
  /** What else must still be so when it is used, such as the e-mail address that it was sent to. */
  readonly boundTo: string | null;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly createdAt: Date;
}

export type OneTimeTokenState = 'valid' | 'used' | 'voided' | 'expired';

/** What a token is worth at a moment. */
export function stateOf(token: Pick<OneTimeToken, 'usedAt' | 'voidedAt' | 'expiresAt'>, now: Date): OneTimeTokenState {
  if (token.usedAt) return 'used';
  if (token.voidedAt) return 'voided';
  return token.expiresAt > now ? 'valid' : 'expired';
}
