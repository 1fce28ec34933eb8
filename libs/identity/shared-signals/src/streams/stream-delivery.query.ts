import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

interface StreamKey {
  readonly tenantId: string;
  readonly id: string;
}

const POLLED_ROW = row({
  eventId: column.text(),
  payload: column.nullable(column.text()),
  sequence: column.nullable(column.digits()),
});
export type PolledDelivery = Readonly<RowOf<typeof POLLED_ROW>>;

const ENDED_ROW = row({ id: column.text() });

/** The end of a delivery that a receiver polled: accepted, rejected with an error, or not wanted. */
export interface PolledResult {
  readonly eventId: string;
  readonly status: 'succeeded' | 'failed' | 'skipped';
  readonly error?: string;
}

/** The condition of `deliveries_ordered_idx`. */
const ORDERED = `status = 'pending' AND webhook_id < 'wh_'`;

/** Reads and ends the deliveries of streams that are polled, and holds or skips pending deliveries. */
@Injectable()
export class StreamDeliveryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the oldest pending deliveries that wait for a poll, of all events or only of these types. The payload is null if the event was deleted. */
  listPending(
    ctx: RequestContext,
    { tenantId, id }: StreamKey,
    types: readonly string[] | null,
    limit: number,
  ): Promise<PolledDelivery[]> {
    return this.query(
      ctx,
      POLLED_ROW,
      `SELECT d.event_id AS "eventId", d.sequence, (SELECT e.payload FROM events e WHERE e.tenant_id = $1 AND e.id = d.event_id) AS payload
       FROM (
         SELECT event_id, sequence FROM deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND ${ORDERED} AND next_attempt_at IS NULL
           AND ($3::text[] IS NULL OR event_type = ANY ($3::text[])) ORDER BY sequence LIMIT $4
       ) d ORDER BY d.sequence`,
      [tenantId, id, types, limit],
      { prepared: true },
    );
  }

  /** Ends pending deliveries, records each as an attempt, and updates the health and statistics of the stream. Returns their number. */
  async end(ctx: RequestContext, { tenantId, id }: StreamKey, results: readonly PolledResult[]): Promise<number> {
    if (results.length === 0) return 0;
    const ended = await this.query(ctx, ENDED_ROW, END, [
      tenantId,
      id,
      results.map(({ eventId }) => eventId),
      results.map(({ status }) => status),
      results.map(({ error }) => error ?? null),
      results.map(() => newId('attempt')),
    ]);
    return ended.length;
  }

  /** Skips pending deliveries, except of events of these types. */
  async skipPending(ctx: RequestContext, { tenantId, id }: StreamKey, exceptTypes: readonly string[]): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE deliveries SET status = 'skipped', completed_at = now(), next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL
       WHERE tenant_id = $1 AND webhook_id = $2 AND ${ORDERED} AND event_type <> ALL ($3::text[])`,
      [tenantId, id, exceptTypes],
    );
  }

  /** Removes the scheduled times of pending deliveries that no worker is sending. */
  async holdPending(ctx: RequestContext, { tenantId, id }: StreamKey): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE deliveries SET next_attempt_at = NULL WHERE tenant_id = $1 AND webhook_id = $2 AND ${ORDERED}
         AND next_attempt_at IS NOT NULL AND (lease_until IS NULL OR lease_until < statement_timestamp())`,
      [tenantId, id],
    );
  }
}

const END = `
WITH given AS (
  SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS g (event_id, status, error, attempt_id)
), done AS (
  UPDATE deliveries d SET status = g.status, completed_at = statement_timestamp(), next_attempt_at = NULL,
    attempt_count = d.attempt_count + (g.status <> 'skipped')::int, last_response_code = NULL,
    last_error_kind = CASE WHEN g.status = 'failed' THEN 'rejected' END
  FROM given g
  WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.event_id = g.event_id AND d.event_id = ANY ($3::text[]) AND d.status = 'pending'
  RETURNING d.id, d.event_id, d.generation, d.attempt_count, g.attempt_id, g.status, g.error
), attempts AS (
  INSERT INTO delivery_attempts (tenant_id, event_id, delivery_id, id, webhook_id, generation, number, started_at, response_time_ms,
    error_kind, error_message)
  SELECT $1, event_id, id, attempt_id, $2, generation, attempt_count, statement_timestamp(), 0,
    CASE WHEN status = 'failed' THEN 'rejected' END, error
  FROM done WHERE status <> 'skipped'
), summed AS (
  SELECT count(*) FILTER (WHERE status = 'succeeded') AS succeeded, count(*) FILTER (WHERE status = 'failed') AS failed
  FROM done WHERE status <> 'skipped' HAVING count(*) > 0
), health AS (
  INSERT INTO webhook_health AS h (tenant_id, webhook_id, last_delivery_at, last_success_at)
  SELECT $1, $2, statement_timestamp(), CASE WHEN succeeded > 0 THEN statement_timestamp() END FROM summed
  ON CONFLICT (tenant_id, webhook_id) DO UPDATE SET last_delivery_at = EXCLUDED.last_delivery_at,
    last_success_at = coalesce(EXCLUDED.last_success_at, h.last_success_at)
), stats AS (
  INSERT INTO webhook_daily_stats AS s (tenant_id, webhook_id, day, succeeded, failed)
  SELECT $1, $2, (statement_timestamp() AT TIME ZONE 'UTC')::date, succeeded, failed FROM summed
  ON CONFLICT (tenant_id, webhook_id, day) DO UPDATE SET succeeded = s.succeeded + EXCLUDED.succeeded, failed = s.failed + EXCLUDED.failed
)
SELECT id FROM done`;
