import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { DomainEvent, EventType } from '#platform/events';
import { DataSource } from 'typeorm';

const DUE_ROW = row({ tenantId: column.text(), subscriber: column.text(), dueAt: column.text() });
const LEASED_ROW = row({
  tenantId: column.text(),
  subscriber: column.text(),
  position: column.digits(),
  head: column.digits(),
  attempts: column.integer(),
  leaseOwner: column.text(),
});
const EVENT_ROW = row({ position: column.digits(), payload: column.text() });
const BACKLOG_ROW = row({
  subscriber: column.text(),
  events: column.float(),
  stopped: column.integer(),
  oldestDueSeconds: column.float(),
});

/** A leased cursor. Only this process moves the cursor until the lease expires. */
export type LeasedCursor = RowOf<typeof LEASED_ROW>;

/** The backlog of a durable handler. `events` includes events of types that the handler ignores. */
export type SubscriberBacklog = RowOf<typeof BACKLOG_ROW>;

export interface PositionedEvent {
  readonly position: string;
  readonly event: DomainEvent;
}

/** Moves the cursors of the durable event handlers. */
@Injectable()
export class SubscriberCursorQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Makes handlers due for the events up to the position `head`. A handler without a cursor for this tenant starts after `position`. */
  async makeDue(
    ctx: RequestContext,
    tenantId: string,
    subscribers: readonly string[],
    { position, head }: { readonly position: bigint; readonly head: bigint },
  ): Promise<void> {
    const rows = subscribers.map((_, index) => `($1, $${index + 4}, $2, $3, now())`).join(', ');
    await this.execute(
      ctx,
      `INSERT INTO event_subscriber_cursors AS c (tenant_id, subscriber, position, head, due_at) VALUES ${rows}
       ON CONFLICT (tenant_id, subscriber)
       DO UPDATE SET head = EXCLUDED.head, due_at = CASE WHEN c.stopped_at IS NULL THEN coalesce(c.due_at, EXCLUDED.due_at) END`,
      [tenantId, position.toString(), head.toString(), ...subscribers],
    );
  }

  /**
   * Claims due cursors. No other process can claim these cursors until the lease expires. Concurrent processes can select the same
   * candidates. The update checks that the time is unchanged, so only one process claims a cursor.
   */
  async claim(
    ctx: RequestContext,
    subscribers: readonly string[],
    limit: number,
    leaseOwner: string,
    leaseMs: number,
  ): Promise<LeasedCursor[]> {
    const candidates = await this.query(
      ctx,
      DUE_ROW,
      `SELECT tenant_id AS "tenantId", subscriber, due_at::text AS "dueAt" FROM event_subscriber_cursors
       WHERE due_at <= statement_timestamp() AND subscriber = ANY ($1::text[]) ORDER BY due_at LIMIT $2`,
      [subscribers, limit],
    );
    const claimed = await Promise.all(
      candidates.map(({ tenantId, subscriber, dueAt }) =>
        this.query(
          ctx,
          LEASED_ROW,
          `UPDATE event_subscriber_cursors SET lease_owner = $3, due_at = statement_timestamp() + $4 * interval '1 ms'
           WHERE tenant_id = $1 AND subscriber = $2 AND due_at = $5::timestamptz
           RETURNING tenant_id AS "tenantId", subscriber, position, head, attempts, lease_owner AS "leaseOwner"`,
          [tenantId, subscriber, leaseOwner, leaseMs, dueAt],
        ),
      ),
    );
    // Other cursors can be due if other processes claimed these candidates.
    return claimed.flat().length === 0 && candidates.length > 0
      ? this.claim(ctx, subscribers, limit, leaseOwner, leaseMs)
      : claimed.flat();
  }

  async listEvents(
    ctx: RequestContext,
    { tenantId, head }: LeasedCursor,
    types: readonly EventType[],
    afterPosition: string,
    limit: number,
  ): Promise<PositionedEvent[]> {
    const rows = await this.query(
      ctx,
      EVENT_ROW,
      `SELECT position, payload FROM events
       WHERE tenant_id = $1 AND position > $2 AND position <= $3 AND type = ANY ($4::text[]) ORDER BY position LIMIT $5`,
      [tenantId, afterPosition, head, types, limit],
    );
    return rows.map(({ position, payload }) => ({ position, event: { ...JSON.parse(payload), tenantId } }));
  }

  /**
   * Moves a cursor to a handled event and renews the lease. Returns false if another process claimed the cursor after the lease
   * expired.
   */
  advance(ctx: RequestContext, cursor: LeasedCursor, position: string, leaseMs: number): Promise<boolean> {
    return this.update(
      ctx,
      cursor,
      `position = $4, attempts = 0, failed_event_id = NULL, failed_position = NULL, last_error = NULL,
       due_at = clock.now + $5 * interval '1 ms'`,
      [position, leaseMs],
    );
  }

  /** Renews the lease. Returns false if another process claimed the cursor after the lease expired. */
  renew(ctx: RequestContext, cursor: LeasedCursor, leaseMs: number): Promise<boolean> {
    return this.update(ctx, cursor, `due_at = clock.now + $4 * interval '1 ms'`, [leaseMs]);
  }

  /** Moves a cursor to a position and ends the lease. If there are events after the position, the cursor is due immediately. */
  release(ctx: RequestContext, cursor: LeasedCursor, position: string): Promise<boolean> {
    return this.update(ctx, cursor, 'position = $4, lease_owner = NULL, due_at = CASE WHEN head > $4 THEN clock.now END', [
      position,
    ]);
  }

  /** Records a failed attempt and ends the lease. Without `retryInMs`, the handler is stopped for this tenant. */
  recordFailure(
    ctx: RequestContext,
    cursor: LeasedCursor,
    { position, event }: PositionedEvent,
    error: string,
    retryInMs: number | undefined,
  ): Promise<boolean> {
    return this.update(
      ctx,
      cursor,
      `lease_owner = NULL, attempts = attempts + 1, failed_event_id = $4, failed_position = $5, last_error = $6,
       due_at = clock.now + $7 * interval '1 ms', stopped_at = CASE WHEN $7::float8 IS NULL THEN clock.now END`,
      [event.id, position, error, retryInMs ?? null],
    );
  }

  /** Returns the backlogs of the handlers that have waiting events or are stopped. */
  listBacklogs(ctx: RequestContext): Promise<SubscriberBacklog[]> {
    return this.query(
      ctx,
      BACKLOG_ROW,
      `SELECT subscriber, sum(head - position)::float8 AS events, count(stopped_at)::int AS stopped,
         greatest(0, extract(epoch FROM clock_timestamp() - min(coalesce(stopped_at, due_at))))::float8 AS "oldestDueSeconds"
       FROM (
         SELECT subscriber, head, position, due_at, stopped_at FROM event_subscriber_cursors WHERE due_at IS NOT NULL
         UNION ALL
         SELECT subscriber, head, position, due_at, stopped_at FROM event_subscriber_cursors WHERE stopped_at IS NOT NULL
       ) waiting GROUP BY subscriber`,
      [],
      { prepared: true },
    );
  }

  private async update(
    ctx: RequestContext,
    { tenantId, subscriber, leaseOwner }: LeasedCursor,
    assignments: string,
    parameters: readonly unknown[],
  ): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE event_subscriber_cursors SET ${assignments} FROM (SELECT statement_timestamp() AS now) clock
       WHERE tenant_id = $1 AND subscriber = $2 AND lease_owner = $3`,
      [tenantId, subscriber, leaseOwner, ...parameters],
    );
    return changed === 1;
  }
}
