import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Another user who acts in a session for support: the impersonation, and the session of this user in which it started. */
export interface SessionImpersonator {
  readonly impersonationId: string;
  readonly tenantId: string;
  readonly id: string;
  readonly sessionId: string;
}

/** One sign-in of a user on one device, or the impersonation of a user. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'user_id' }) userId!: string;
  /** Id of the organization in which the user signed in. */
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'ip_address', nullable: true }) ipAddress!: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent!: string | null;
  /** The hash of the current token. Null if a process of an earlier release created the session and its token was not replaced since. */
  @Column('bytea', { name: 'token_hash', nullable: true }) tokenHash!: Buffer | null;
  /** The methods that authenticated the user, such as `password` and `totp`. */
  @Column('text', { name: 'authentication_methods', array: true }) authenticationMethods!: string[];
  /** The identity provider of the sign-in. While it is disabled, and after its deletion, the session can't be used. */
  @Column('text', { name: 'identity_provider_id', nullable: true }) identityProviderId!: string | null;
  /** Whether the session permits only the enrollment of a second factor. */
  @Column('boolean', { name: 'enrolment_only' }) enrolmentOnly!: boolean;
  /** Null for a session of the user. */
  @Column('jsonb', { nullable: true }) impersonator!: SessionImpersonator | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  /** When the user signed in or last reauthenticated. */
  @Column('timestamptz', { name: 'authenticated_at' }) authenticatedAt!: Date;
  /** When the session was last used. The precision is one minute, or a tenth of a shorter idle timeout. */
  @Column('timestamptz', { name: 'last_seen_at' }) lastSeenAt!: Date;
  /** The longest time without a use since the sign-in or the last reauthentication. The precision is that of `lastSeenAt`. */
  @Column('integer', { name: 'longest_idle_seconds' }) longestIdleSeconds!: number;
  /** When the session ends regardless of activity. */
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @Column('text', { name: 'revoked_reason', nullable: true }) revokedReason!: string | null;
}
