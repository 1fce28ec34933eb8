import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A range of positions whose events were deleted after their retention period. */
@Entity('event_anchors')
export class EventAnchor {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('bigint', { name: 'from_position' }) fromPosition!: string;
  @Column('bigint', { name: 'to_position' }) toPosition!: string;
  /** Hash of the last deleted event. */
  @Column('bytea', { name: 'chain_hash' }) chainHash!: Buffer;
  @Column('timestamptz', { name: 'dropped_at' }) droppedAt!: Date;
}
