import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FactorMethod } from '../mfa-method.js';

/** A factor that the user has not confirmed yet. A user has at most one unconfirmed factor of each method. */
@Entity('mfa_enrolments')
export class MfaEnrolment {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @PrimaryColumn('text') method!: FactorMethod;
  /** The session that started the enrolment. No other session can complete the enrolment. */
  @Column('text', { name: 'session_id' }) sessionId!: string;
  @Column('text', { name: 'content_sealed' }) contentSealed!: string;
  @Column('integer') tries!: number;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
