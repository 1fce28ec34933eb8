import { Column, Entity, PrimaryColumn } from 'typeorm';

export type MessageChannel = 'email' | 'sms';

@Entity('messages')
export class Message {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  @Column('text') channel!: MessageChannel;
  /** Name of the template, for logs and filters. */
  @Column('text') template!: string;
  @Column('text') recipient!: string;
  /** Encrypted, because a link or a code in the content can sign somebody in. */
  @Column('text', { name: 'content_sealed' }) contentSealed!: string;
  @Column('text') status!: 'pending' | 'sending' | 'sent' | 'failed';
  /** Number of attempts that were started. */
  @Column('integer', { name: 'attempt_count' }) attemptCount!: number;
  @Column('timestamptz', { name: 'next_attempt_at' }) nextAttemptAt!: Date;
  @Column('text', { name: 'lease_owner', nullable: true }) leaseOwner!: string | null;
  @Column('timestamptz', { name: 'lease_until', nullable: true }) leaseUntil!: Date | null;
  @Column('text', { name: 'last_error', nullable: true }) lastError!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'sent_at', nullable: true }) sentAt!: Date | null;
}
