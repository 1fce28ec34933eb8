import { ApiProperty } from '@nestjs/swagger';
import type { AttemptsBucket } from './webhook-statistics.query.js';
import { INTERVALS, type StatisticsInterval, type WebhookStatistics } from './webhook-statistics.service.js';

const SINCE_EXAMPLE = '2026-01-15T00:00:00.000Z';

const UNTIL_EXAMPLE = '2026-01-16T00:00:00.000Z';

/** Response times in milliseconds. */
export class ResponseTimeResponse {
  @ApiProperty({
    description: 'Median in milliseconds, or null if there were no attempts.',
    type: 'integer',
    nullable: true,
    example: 84,
  })
  p50!: number | null;
  @ApiProperty({
    description: '95th percentile in milliseconds, or null if there were no attempts.',
    type: 'integer',
    nullable: true,
    example: 310,
  })
  p95!: number | null;
}

/** The attempts that started in one interval. */
export class StatisticsBucketResponse {
  @ApiProperty({ description: 'Start of the interval.', format: 'date-time', example: SINCE_EXAMPLE }) start!: string;
  @ApiProperty({ description: 'Number of attempts that were answered with 2xx.', type: 'integer', example: 412 })
  succeeded!: number;
  @ApiProperty({ description: 'Number of attempts that failed.', type: 'integer', example: 3 }) failed!: number;
  @ApiProperty({ description: 'Response times of all attempts, including failed attempts.', type: ResponseTimeResponse })
  responseTime!: ResponseTimeResponse;

  static from({ start, succeeded, failed, p50, p95 }: AttemptsBucket): StatisticsBucketResponse {
    return { start: start.toISOString(), succeeded, failed, responseTime: { p50, p95 } };
  }
}

/** Number of deliveries that were created in the range, by their current status. */
export class DeliveryTotalsResponse {
  @ApiProperty({ description: 'Number of deliveries that are in progress or waiting.', type: 'integer', example: 2 })
  pending!: number;
  @ApiProperty({ description: 'Number of deliveries that were answered with 2xx.', type: 'integer', example: 409 })
  delivered!: number;
  @ApiProperty({ description: 'Number of deliveries whose attempts all failed.', type: 'integer', example: 1 }) failed!: number;
  @ApiProperty({
    description: 'Number of deliveries that were not sent because the webhook was disabled manually.',
    type: 'integer',
    example: 0,
  })
  skipped!: number;
}

/** Totals over all intervals. */
export class StatisticsTotalsResponse {
  @ApiProperty({ description: 'Number of attempts that were answered with 2xx.', type: 'integer', example: 412 })
  succeeded!: number;
  @ApiProperty({ description: 'Number of attempts that failed.', type: 'integer', example: 3 }) failed!: number;
  @ApiProperty({
    description: 'Share of successful attempts, from 0 to 1. Null if there were no attempts.',
    type: 'number',
    minimum: 0,
    maximum: 1,
    nullable: true,
    example: 0.9928,
  })
  successRate!: number | null;
  @ApiProperty({ type: DeliveryTotalsResponse }) deliveries!: DeliveryTotalsResponse;
}

/** Statistics of a webhook per hour or day. Test deliveries are not counted. */
export class WebhookStatisticsResponse {
  @ApiProperty({ description: 'Start of the first interval.', format: 'date-time', example: SINCE_EXAMPLE }) since!: string;
  @ApiProperty({ description: 'End of the last interval, exclusive.', format: 'date-time', example: UNTIL_EXAMPLE })
  until!: string;
  @ApiProperty({ enum: INTERVALS, example: 'hour' }) interval!: StatisticsInterval;
  @ApiProperty({ description: 'Intervals, oldest first, without gaps.', type: [StatisticsBucketResponse] })
  buckets!: StatisticsBucketResponse[];
  @ApiProperty({ type: StatisticsTotalsResponse }) totals!: StatisticsTotalsResponse;

  static from({ since, until, interval, buckets, deliveries }: WebhookStatistics): WebhookStatisticsResponse {
    const succeeded = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0);
    const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
    const attempts = succeeded + failed;
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      interval,
      buckets: buckets.map((bucket) => StatisticsBucketResponse.from(bucket)),
      totals: {
        succeeded,
        failed,
        successRate: attempts === 0 ? null : Math.round((succeeded / attempts) * 10_000) / 10_000,
        deliveries,
      },
    };
  }
}
