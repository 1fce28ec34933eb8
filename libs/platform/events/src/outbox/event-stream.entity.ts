import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last position of a tenant's events, and the end of their hash chain. */
@Entity('event_streams')
export class EventStream {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @Column('bigint', { name: 'last_position' }) lastPosition!: string;
  /** Position of the last event that is part of the hash chain. */
  @Column('bigint', { name: 'chained_position' }) chainedPosition!: string;
  @Column('bytea', { name: 'last_chain_hash', nullable: true }) lastChainHash!: Buffer | null;
}
