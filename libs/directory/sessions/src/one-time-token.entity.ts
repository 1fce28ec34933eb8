import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The only operation that a one-time token permits. */
export type OneTimePurpose = 'invitation' | 'password_reset' | 'email_verification' | 'email_change' | 'email_change_cancel';

/** A token that was sent to a person and can be used once. */
@Entity('one_time_tokens')
export class OneTimeToken {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text') purpose!: OneTimePurpose;
  @Column('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  /** A value that must not have changed when the token is used, such as the email address that received the token. */
  @Column('text', { name: 'bound_to', nullable: true }) boundTo!: string | null;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;
  @Column('timestamptz', { name: 'voided_at', nullable: true }) voidedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

export type OneTimeTokenState = 'valid' | 'used' | 'voided' | 'expired';

export function stateOf(token: Pick<OneTimeToken, 'usedAt' | 'voidedAt' | 'expiresAt'>, now: Date): OneTimeTokenState {
  if (token.usedAt) return 'used';
  if (token.voidedAt) return 'voided';
  return token.expiresAt > now ? 'valid' : 'expired';
}
