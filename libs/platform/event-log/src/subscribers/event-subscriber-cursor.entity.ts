import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Up to where a durable event handler has handled a tenant's events. */
@Entity('event_subscriber_cursors')
export class EventSubscriberCursor {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') subscriber!: string;
  /** The last event handled. */
  @Column('bigint') position!: string;
  /** The last event of a type that the handler wants. */
  @Column('bigint') head!: string;
  /** When the next attempt is due or the lease ends. Null: nothing waits, or the handler is stopped. */
  @Column('timestamptz', { name: 'due_at', nullable: true }) dueAt!: Date | null;
  @Column('text', { name: 'lease_owner', nullable: true }) leaseOwner!: string | null;
  /** Failed attempts for the next event. */
  @Column('integer') attempts!: number;
  @Column('text', { name: 'failed_event_id', nullable: true }) failedEventId!: string | null;
  @Column('bigint', { name: 'failed_position', nullable: true }) failedPosition!: string | null;
  @Column('text', { name: 'last_error', nullable: true }) lastError!: string | null;
  /** Set when all attempts have failed: nothing more is handled until an operator retries or skips the event. */
  @Column('timestamptz', { name: 'stopped_at', nullable: true }) stoppedAt!: Date | null;
}
