import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';

/** A time with a first moment and one that is over it already. */
export interface StatisticsRange {
  readonly since: Date;
  readonly until: Date;
}

/** The attempts begun in one interval. Response times in milliseconds. */
export interface AttemptsBucket {
  start: Date;
  succeeded: number;
  failed: number;
  p50: number | null;
  p95: number | null;
}

/** How many deliveries are in which state. */
export interface DeliveriesByStatus {
  pending: number;
  delivered: number;
  failed: number;
  skipped: number;
}

interface WebhookKey {
  readonly tenantId: string;
  readonly id: string;
}

/** Clocks of processes and of the database are never further apart. */
const CLOCKS_APART_MAX_MS = 3_600_000;

/** Counts attempts and deliveries of a webhook. */
@Injectable()
export class WebhookStatisticsRead extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * The intervals in which there were attempts, in their order. Times are counted before they are ranked: a webhook has far fewer
   * different ones than attempts. An attempt's event is never younger than itself, which leaves weeks to come out.
   */
  async attempts(
    ctx: RequestContext,
    webhook: WebhookKey,
    { since, until }: StatisticsRange,
    intervalMs: number,
  ): Promise<AttemptsBucket[]> {
    return this.query<AttemptsBucket>(
      ctx,
      `WITH counted AS (
         SELECT date_bin($5 * interval '1 ms', started_at, $3) AS start, response_time_ms, count(*) AS attempts,
           count(*) FILTER (WHERE error_kind IS NULL) AS succeeded
         FROM delivery_attempts
         WHERE tenant_id = $1 AND webhook_id = $2 AND started_at >= $3 AND started_at < $4 AND event_id < $6
         GROUP BY 1, 2
       ), ranked AS (
         SELECT *, sum(attempts) OVER (PARTITION BY start ORDER BY response_time_ms) AS reached, sum(attempts) OVER (PARTITION BY start) AS total
         FROM counted
       )
       SELECT start, sum(succeeded)::int AS succeeded, sum(attempts - succeeded)::int AS failed,
         min(response_time_ms) FILTER (WHERE reached >= total * 0.5) AS p50,
         min(response_time_ms) FILTER (WHERE reached >= total * 0.95) AS p95
       FROM ranked GROUP BY start ORDER BY start`,
      [
        webhook.tenantId,
        webhook.id,
        since,
        until,
        intervalMs,
        firstIdAt('event', new Date(until.getTime() + CLOCKS_APART_MAX_MS)),
      ],
    );
  }

  /** Deliveries made in the range, tests left out, by their status now. */
  async deliveries(ctx: RequestContext, webhook: WebhookKey, { since, until }: StatisticsRange): Promise<DeliveriesByStatus> {
    const [row] = await this.query<DeliveriesByStatus>(
      ctx,
      `SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending, count(*) FILTER (WHERE status = 'succeeded')::int AS delivered,
         count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'skipped')::int AS skipped
       FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id >= $3 AND id < $4 AND NOT test`,
      [webhook.tenantId, webhook.id, firstIdAt('delivery', since), firstIdAt('delivery', until)],
    );
    return row!;
  }
}
