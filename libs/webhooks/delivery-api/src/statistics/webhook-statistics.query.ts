import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

/** A period: `since` is included, `until` is not. */
export interface StatisticsRange {
  readonly since: Date;
  readonly until: Date;
}

/** The attempts that started in one interval. Response times in milliseconds. */
const BUCKET = row({
  start: column.timestamp(),
  succeeded: column.integer(),
  failed: column.integer(),
  p50: column.nullable(column.integer()),
  p95: column.nullable(column.integer()),
});
export type AttemptsBucket = RowOf<typeof BUCKET>;

/** Numbers of deliveries by status. */
const BY_STATUS = row({
  pending: column.integer(),
  delivered: column.integer(),
  failed: column.integer(),
  skipped: column.integer(),
});
export type DeliveriesByStatus = RowOf<typeof BY_STATUS>;

interface WebhookKey {
  readonly tenantId: string;
  readonly id: string;
}

/** Counts attempts and deliveries of a webhook. */
@Injectable()
export class WebhookStatisticsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the intervals that have attempts, oldest first. The index `delivery_attempts_webhook_idx` has all columns of the query. */
  async attempts(
    ctx: RequestContext,
    webhook: WebhookKey,
    { since, until }: StatisticsRange,
    intervalMs: number,
  ): Promise<AttemptsBucket[]> {
    return this.query(
      ctx,
      BUCKET,
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

  /** Counts the deliveries that were created in the period, by current status. Test deliveries are not counted. */
  async deliveries(ctx: RequestContext, webhook: WebhookKey, { since, until }: StatisticsRange): Promise<DeliveriesByStatus> {
    const [counts] = await this.query(
      ctx,
      BY_STATUS,
      `SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending, count(*) FILTER (WHERE status = 'succeeded')::int AS delivered,
         count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'skipped')::int AS skipped
       FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id >= $3 AND id < $4 AND NOT test`,
      [webhook.tenantId, webhook.id, firstIdAt('delivery', since), firstIdAt('delivery', until)],
    );
    return counts ?? { pending: 0, delivered: 0, failed: 0, skipped: 0 };
  }
}
