import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The position of a durable event handler in the log of a tenant. */
@Entity('event_subscriber_cursors')
export class EventSubscriberCursor {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') subscriber!: string;
  /** Position of the last handled event. */
  @Column('bigint') position!: string;
  /** Position of the last event that the handler must handle. */
  @Column('bigint') head!: string;
  /** Time of the next attempt, or the end of the lease. Null if there is nothing to handle or the handler is stopped. */
  @Column('timestamptz', { name: 'due_at', nullable: true }) dueAt!: Date | null;
  @Column('text', { name: 'lease_owner', nullable: true }) leaseOwner!: string | null;
  /** Number of failed attempts for the next event. */
  @Column('integer') attempts!: number;
  @Column('text', { name: 'failed_event_id', nullable: true }) failedEventId!: string | null;
  @Column('bigint', { name: 'failed_position', nullable: true }) failedPosition!: string | null;
  @Column('text', { name: 'last_error', nullable: true }) lastError!: string | null;
  /** Set after the last attempt failed: the handler is stopped until an operator retries or skips the event. */
  @Column('timestamptz', { name: 'stopped_at', nullable: true }) stoppedAt!: Date | null;
}
