import { Injectable } from '@nestjs/common';
import { Clock, InvalidRequest, type RequestContext } from '#platform/common';
import { WebhooksService } from '#webhooks/webhooks';
import {
  type AttemptsBucket,
  type DeliveriesByStatus,
  type StatisticsRange,
  WebhookStatisticsQuery,
} from './webhook-statistics.query.js';

export const INTERVALS = ['hour', 'day'] as const;
export type StatisticsInterval = (typeof INTERVALS)[number];

/** Maximum number of intervals: the hours of a month. */
export const BUCKETS_MAX = 744;

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Record<StatisticsInterval, number> = { hour: HOUR_MS, day: 24 * HOUR_MS };
/** Number of intervals if the request has no `since`. */
const BUCKETS_DEFAULT: Record<StatisticsInterval, number> = { hour: 24, day: 30 };

export interface StatisticsRequest {
  readonly since?: Date;
  /** Default: now. */
  readonly until?: Date;
  readonly interval: StatisticsInterval;
}

/** Statistics of the deliveries of a webhook in a period. */
export interface WebhookStatistics extends StatisticsRange {
  readonly interval: StatisticsInterval;
  /** The intervals, oldest first, without gaps. */
  readonly buckets: readonly AttemptsBucket[];
  readonly deliveries: DeliveriesByStatus;
}

/** Reads the statistics of webhooks. */
@Injectable()
export class WebhookStatisticsService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly reader: WebhookStatisticsQuery,
    private readonly clock: Clock,
  ) {}

  /** Returns the statistics of a webhook. @throws ResourceNotFound, InvalidRequest */
  async get(ctx: RequestContext, webhookId: string, request: StatisticsRequest): Promise<WebhookStatistics> {
    const webhook = await this.webhooks.get(ctx, webhookId);
    const { interval } = request;
    const intervalMs = INTERVAL_MS[interval];
    const range = this.rangeOf(request, intervalMs);
    const counted = await this.reader.attempts(ctx, webhook, range, intervalMs);
    const deliveries = await this.reader.deliveries(ctx, webhook, range);
    return { ...range, interval, buckets: withoutGaps(counted, range, intervalMs), deliveries };
  }

  /** Returns the range of the statistics. It starts with a whole hour or day (UTC), because a part of an interval would look like a drop. */
  private rangeOf({ since, until = this.clock.now(), interval }: StatisticsRequest, intervalMs: number): StatisticsRange {
    const wanted = since?.getTime() ?? until.getTime() - (BUCKETS_DEFAULT[interval] - 1) * intervalMs;
    const first = Math.floor(wanted / intervalMs) * intervalMs;
    const problem =
      first >= until.getTime()
        ? '`since` must be before `until` and in the past.'
        : Math.ceil((until.getTime() - first) / intervalMs) > BUCKETS_MAX
          ? `A response can contain at most ${BUCKETS_MAX} intervals. Choose a shorter period, or set interval to day.`
          : undefined;
    if (problem) throw new InvalidRequest([{ pointer: '/since', in: 'query', code: 'out_of_range', message: problem }]);
    return { since: new Date(first), until };
  }
}

function withoutGaps(
  counted: readonly AttemptsBucket[],
  { since, until }: StatisticsRange,
  intervalMs: number,
): AttemptsBucket[] {
  const found = new Map(counted.map((bucket) => [bucket.start.getTime(), bucket]));
  const count = Math.ceil((until.getTime() - since.getTime()) / intervalMs);
  return Array.from({ length: count }, (_, index) => {
    const startMs = since.getTime() + index * intervalMs;
    return found.get(startMs) ?? { start: new Date(startMs), succeeded: 0, failed: 0, p50: null, p95: null };
  });
}
