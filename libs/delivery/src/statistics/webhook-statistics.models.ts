import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, MomentField } from '#http';
import type { AttemptsBucket } from './webhook-statistics.read.js';
import {
  INTERVALS,
  type StatisticsInterval,
  type StatisticsRequest,
  type WebhookStatistics,
} from './webhook-statistics.service.js';

const SINCE_EXAMPLE = '2026-01-15T00:00:00.000Z';
const UNTIL_EXAMPLE = '2026-01-16T00:00:00.000Z';

/** What time to look at, and how finely. */
export class StatisticsQuery {
  @MomentField({
    description:
      'From this moment on; the hour or day (UTC) that it lies in counts as a whole. Default: 24 hours back, or 30 days. At most 744 intervals before `until`.',
    example: SINCE_EXAMPLE,
  })
  since?: string;

  @MomentField({ description: 'Before this moment. Default: now.', example: UNTIL_EXAMPLE })
  until?: string;

  @ChoiceField({ description: 'The length of an interval.', choices: INTERVALS, default: 'hour' })
  interval?: StatisticsInterval;

  static request({ since, until, interval }: StatisticsQuery): StatisticsRequest {
    return {
      ...(since === undefined ? {} : { since: new Date(since) }),
      ...(until === undefined ? {} : { until: new Date(until) }),
      interval: interval ?? 'hour',
    };
  }
}

/** How long destinations took, in milliseconds. */
export class ResponseTimeResponse {
  @ApiProperty({
    description: 'Half of the attempts took no longer; null without any.',
    type: 'integer',
    nullable: true,
    example: 84,
  })
  p50!: number | null;
  @ApiProperty({ description: '95 % of the attempts took no longer.', type: 'integer', nullable: true, example: 310 })
  p95!: number | null;
}

/** The attempts begun in one hour or day. */
export class StatisticsBucketResponse {
  @ApiProperty({ format: 'date-time', example: SINCE_EXAMPLE }) start!: string;
  @ApiProperty({ description: 'Attempts answered 2xx.', type: 'integer', example: 412 }) succeeded!: number;
  @ApiProperty({ description: 'All others.', type: 'integer', example: 3 }) failed!: number;
  @ApiProperty({ description: 'Of all attempts, failed ones too; in milliseconds.', type: ResponseTimeResponse })
  responseTime!: ResponseTimeResponse;

  static from({ start, succeeded, failed, p50, p95 }: AttemptsBucket): StatisticsBucketResponse {
    return { start: start.toISOString(), succeeded, failed, responseTime: { p50, p95 } };
  }
}

/** Deliveries made in the time, by their status now. */
export class DeliveryTotalsResponse {
  @ApiProperty({ description: 'Still being tried, or waiting to be.', type: 'integer', example: 2 }) pending!: number;
  @ApiProperty({ description: 'Answered 2xx.', type: 'integer', example: 409 }) delivered!: number;
  @ApiProperty({ description: 'Every attempt failed.', type: 'integer', example: 1 }) failed!: number;
  @ApiProperty({ description: 'Not sent, since the webhook was switched off by hand.', type: 'integer', example: 0 })
  skipped!: number;
}

/** All intervals together. */
export class StatisticsTotalsResponse {
  @ApiProperty({ description: 'Attempts answered 2xx.', type: 'integer', example: 412 }) succeeded!: number;
  @ApiProperty({ description: 'All other attempts.', type: 'integer', example: 3 }) failed!: number;
  @ApiProperty({
    description: 'Which share of the attempts succeeded, 0 to 1; null without any.',
    type: 'number',
    minimum: 0,
    maximum: 1,
    nullable: true,
    example: 0.9928,
  })
  successRate!: number | null;
  @ApiProperty({ type: DeliveryTotalsResponse }) deliveries!: DeliveryTotalsResponse;
}

/** How a webhook's deliveries went, hour by hour or day by day. Tests are left out. */
export class WebhookStatisticsResponse {
  @ApiProperty({ description: 'Where the first interval begins.', format: 'date-time', example: SINCE_EXAMPLE }) since!: string;
  @ApiProperty({ format: 'date-time', example: UNTIL_EXAMPLE }) until!: string;
  @ApiProperty({ enum: INTERVALS, example: 'hour' }) interval!: StatisticsInterval;
  @ApiProperty({ description: 'Oldest first, without gaps.', type: [StatisticsBucketResponse] })
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
