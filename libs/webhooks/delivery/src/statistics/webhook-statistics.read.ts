import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
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

/** Counts attempts and deliveries of a webhook. */
@Injectable()
export class WebhookStatisticsRead extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The intervals in which there were attempts, in their order. All that is asked for lies in `delivery_attempts_webhook_idx`. */
  async attempts(
    ctx: RequestContext,
    webhook: WebhookKey,
    { since, until }: StatisticsRange,
    intervalMs: number,
  ): Promise<AttemptsBucket[]> {
    return this.query<AttemptsBucket>(
      ctx,
      `SELECT start, succeeded, failed, percentiles[1] AS p50, percentiles[2] AS p95 FROM (
         SELECT date_bin($5 * interval '1 ms', started_at, $3) AS start, count(*) FILTER (WHERE error_kind IS NULL)::int AS succeeded,
           count(*) FILTER (WHERE error_kind IS NOT NULL)::int AS failed,
           percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY response_time_ms) AS percentiles
         FROM delivery_attempts
         WHERE tenant_id = $1 AND webhook_id = $2 AND started_at >= $3 AND started_at < $4 GROUP BY 1
       ) counted ORDER BY start`,
      [webhook.tenantId, webhook.id, since, until, intervalMs],
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
