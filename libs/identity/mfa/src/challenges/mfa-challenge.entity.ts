import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CodeMethod, MfaMethod } from '../mfa-method.js';

/** A challenge to verify a second factor, for a sign-in or a reauthentication. */
@Entity('mfa_challenges')
export class MfaChallenge {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('bytea', { name: 'token_hash' }) tokenHash!: Buffer;
  @Column('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'first_method' }) firstMethod!: string;
  /** The identity provider that verified the first factor. */
  @Column('text', { name: 'identity_provider_id', nullable: true }) identityProviderId!: string | null;
  /** The session of a reauthentication; null for a sign-in. */
  @Column('text', { name: 'session_id', nullable: true }) sessionId!: string | null;
  @Column('text', { array: true }) methods!: MfaMethod[];
  @Column('integer') tries!: number;
  @Column('text', { name: 'code_method', nullable: true }) codeMethod!: CodeMethod | null;
  @Column('text', { name: 'code_sealed', nullable: true }) codeSealed!: string | null;
  @Column('text', { name: 'passkey_challenge', nullable: true }) passkeyChallenge!: string | null;
  @Column('timestamptz', { name: 'passkey_expires_at', nullable: true }) passkeyExpiresAt!: Date | null;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

export const MAX_CHALLENGE_ATTEMPTS = 5;
