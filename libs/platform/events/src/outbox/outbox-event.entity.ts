import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns of a new event. The relay and the event log write the other columns. */
@Entity('events')
export class OutboxEvent {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text') type!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'parent_organization_id', nullable: true }) parentOrganizationId!: string | null;
  @Column('text', { name: 'ancestor_ids', array: true }) ancestorIds!: readonly string[];
  @Column('text', { name: 'user_id', nullable: true }) userId!: string | null;
  @Column('text', { name: 'actor_type' }) actorType!: string;
  @Column('text', { name: 'actor_id', nullable: true }) actorId!: string | null;
  @Column('text', { name: 'impersonator_id', nullable: true }) impersonatorId!: string | null;
  /** The JSON that webhooks receive. */
  @Column('text') payload!: string;
  @Column('bytea', { name: 'payload_digest' }) payloadDigest!: Buffer;
  @Column('timestamptz', { name: 'occurred_at' }) occurredAt!: Date;
  @Column('text', { nullable: true }) traceparent!: string | null;
}
