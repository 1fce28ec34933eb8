import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { DomainEvent, EventType } from '#platform/events';
import { DataSource, IsNull, Not } from 'typeorm';
import { EventSubscriberCursor } from './event-subscriber-cursor.entity.js';

/** A cursor that this process works on until its lease ends. */
export interface LeasedCursor {
  readonly tenantId: string;
  readonly subscriber: string;
  readonly position: string;
  readonly head: string;
  readonly attempts: number;
  readonly leaseOwner: string;
}

/** An event with its position in the tenant's log. */
export interface PositionedEvent {
  readonly position: string;
  readonly event: DomainEvent;
}

/** How much waits for a durable handler. */
export interface SubscriberBacklog {
  readonly subscriber: string;
  /** An upper bound: events of types that the handler doesn't want are counted, too. */
  readonly events: number;
  readonly oldestDueSeconds: number;
  readonly stopped: number;
}

/** Cursors of the durable event handlers. */
@Injectable()
export class EventSubscriberCursorRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Makes handlers due, up to the position `head`. A handler that is new to the tenant begins after `position`. */
  async makeDue(
    ctx: RequestContext,
    tenantId: string,
    subscribers: readonly string[],
    { position, head }: { readonly position: bigint; readonly head: bigint },
  ): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO event_subscriber_cursors AS c (tenant_id, subscriber, position, head, due_at)
       SELECT $1, subscriber, $3, $4, now() FROM unnest($2::text[]) AS subscriber ORDER BY subscriber
       ON CONFLICT (tenant_id, subscriber)
       DO UPDATE SET head = EXCLUDED.head, due_at = CASE WHEN c.stopped_at IS NULL THEN coalesce(c.due_at, now()) END`,
      [tenantId, subscribers, position.toString(), head.toString()],
    );
  }

  /** Claims due cursors. A claimed cursor belongs to one process until its lease ends. */
  claim(
    ctx: RequestContext,
    subscribers: readonly string[],
    limit: number,
    leaseOwner: string,
    leaseMs: number,
  ): Promise<LeasedCursor[]> {
    return this.query<LeasedCursor>(
      ctx,
      `WITH due AS (
         SELECT tenant_id, subscriber FROM event_subscriber_cursors
         WHERE due_at <= clock_timestamp() AND subscriber = ANY ($1::text[]) ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       UPDATE event_subscriber_cursors c SET lease_owner = $3, due_at = clock_timestamp() + $4 * interval '1 ms' FROM due
       WHERE c.tenant_id = due.tenant_id AND c.subscriber = due.subscriber
       RETURNING c.tenant_id AS "tenantId", c.subscriber, c.position, c.head, c.attempts, c.lease_owner AS "leaseOwner"`,
      [subscribers, limit, leaseOwner, leaseMs],
    );
  }

  /** The next events of a tenant up to the cursor's head, oldest first. */
  async nextEvents(
    ctx: RequestContext,
    { tenantId, head }: LeasedCursor,
    types: readonly EventType[],
    afterPosition: string,
    limit: number,
  ): Promise<PositionedEvent[]> {
    const rows = await this.query<{ position: string; payload: string }>(
      ctx,
      `SELECT position, payload FROM events
       WHERE tenant_id = $1 AND position > $2 AND position <= $3 AND type = ANY ($4::text[]) ORDER BY position LIMIT $5`,
      [tenantId, afterPosition, head, types, limit],
    );
    return rows.map(({ position, payload }) => ({ position, event: { ...JSON.parse(payload), tenantId } }));
  }

  /** Notes that an event is handled, and renews the lease. False: the lease has ended, and another process has the cursor. */
  advance(ctx: RequestContext, cursor: LeasedCursor, position: string, leaseMs: number): Promise<boolean> {
    return this.change(
      ctx,
      cursor,
      `position = $4, attempts = 0, failed_event_id = NULL, failed_position = NULL, last_error = NULL,
       due_at = clock_timestamp() + $5 * interval '1 ms'`,
      [position, leaseMs],
    );
  }

  renew(ctx: RequestContext, cursor: LeasedCursor, leaseMs: number): Promise<boolean> {
    return this.change(ctx, cursor, `due_at = clock_timestamp() + $4 * interval '1 ms'`, [leaseMs]);
  }

  /** Gives the cursor back; `position` is the last one read. Due again at once where there is more. */
  release(ctx: RequestContext, cursor: LeasedCursor, position: string): Promise<boolean> {
    return this.change(
      ctx,
      cursor,
      'position = $4, lease_owner = NULL, due_at = CASE WHEN head > $4 THEN clock_timestamp() END',
      [position],
    );
  }

  /** Notes a failed attempt. Without `retryInMs`, the handler is stopped for this tenant. */
  fail(
    ctx: RequestContext,
    cursor: LeasedCursor,
    { position, event }: PositionedEvent,
    error: string,
    retryInMs: number | undefined,
  ): Promise<boolean> {
    return this.change(
      ctx,
      cursor,
      `lease_owner = NULL, attempts = attempts + 1, failed_event_id = $4, failed_position = $5, last_error = $6,
       due_at = clock_timestamp() + $7 * interval '1 ms', stopped_at = CASE WHEN $7::float8 IS NULL THEN clock_timestamp() END`,
      [event.id, position, error, retryInMs ?? null],
    );
  }

  /** Lets a stopped handler go on, with the event that failed or, if it `skipsEvent`, after it. False: it is not stopped. */
  async resume(ctx: RequestContext, tenantId: string, subscriber: string, skipsEvent: boolean): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE event_subscriber_cursors SET stopped_at = NULL, attempts = 0, due_at = clock_timestamp(), last_error = NULL,
         position = CASE WHEN $3 THEN failed_position ELSE position END, failed_event_id = NULL, failed_position = NULL
       WHERE tenant_id = $1 AND subscriber = $2 AND stopped_at IS NOT NULL`,
      [tenantId, subscriber, skipsEvent],
    );
    return changed === 1;
  }

  /** Whether a handler is stopped for any tenant. */
  isStoppedSomewhere(ctx: RequestContext, subscriber: string): Promise<boolean> {
    return this.rows(ctx, EventSubscriberCursor).existsBy({ subscriber, stoppedAt: Not(IsNull()) });
  }

  /** Tenants for which a handler is stopped, those stopped first come first. */
  stopped(ctx: RequestContext, subscriber: string, limit: number): Promise<EventSubscriberCursor[]> {
    return this.rows(ctx, EventSubscriberCursor).find({
      where: { subscriber, stoppedAt: Not(IsNull()) },
      order: { stoppedAt: 'ASC', tenantId: 'ASC' },
      take: limit,
    });
  }

  /** What waits for each handler; those for which nothing waits are absent. */
  backlog(ctx: RequestContext): Promise<SubscriberBacklog[]> {
    return this.query<SubscriberBacklog>(
      ctx,
      `SELECT subscriber, sum(head - position)::float8 AS events, count(stopped_at)::int AS stopped,
         greatest(0, extract(epoch FROM clock_timestamp() - min(coalesce(stopped_at, due_at))))::float8 AS "oldestDueSeconds"
       FROM (
         SELECT subscriber, head, position, due_at, stopped_at FROM event_subscriber_cursors WHERE due_at IS NOT NULL
         UNION ALL
         SELECT subscriber, head, position, due_at, stopped_at FROM event_subscriber_cursors WHERE stopped_at IS NOT NULL
       ) waiting GROUP BY subscriber`,
    );
  }

  private async change(
    ctx: RequestContext,
    { tenantId, subscriber, leaseOwner }: LeasedCursor,
    assignments: string,
    parameters: readonly unknown[],
  ): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE event_subscriber_cursors SET ${assignments} WHERE tenant_id = $1 AND subscriber = $2 AND lease_owner = $3`,
      [tenantId, subscriber, leaseOwner, ...parameters],
    );
    return changed === 1;
  }
}
