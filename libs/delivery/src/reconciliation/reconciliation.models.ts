import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '#events';
import { ExactTextField, IntegerQuery, MomentField } from '#http';
import type { Undelivered } from './reconciliation.read.js';
import type { Reconciliation, ReconciliationRequest } from './reconciliation.service.js';

const TIME_EXAMPLE = '2026-01-15T00:00:00.000Z';
const STATUSES = ['pending', 'failed', 'skipped', 'missing'];

/** Which events to look at. */
export class ReconciliationQuery {
  @MomentField({
    description: 'Events from this moment on (their `timestamp`). Default: as far back as deliveries are kept.',
    example: TIME_EXAMPLE,
  })
  since?: string;

  @MomentField({ description: 'Events before this moment. Default: now.', example: '2026-01-16T00:00:00.000Z' })
  until?: string;

  @IntegerQuery({ description: 'How many undelivered events to list.', min: 1, max: 100, default: 20 })
  limit?: number;

  @ExactTextField({ description: 'The `eventId` of the last one seen: the list goes on after it.', maxLength: 64 })
  after?: string;

  static request({ since, until, limit, after }: ReconciliationQuery): ReconciliationRequest {
    return {
      ...(since === undefined ? {} : { since: new Date(since) }),
      ...(until === undefined ? {} : { until: new Date(until) }),
      limit: limit ?? 20,
      ...(after === undefined ? {} : { after }),
    };
  }
}

/** An event that the webhook has not got. */
export class UndeliveredResponse {
  @ApiProperty({ example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' }) eventId!: string;
  @ApiProperty({ enum: EVENT_TYPES, example: 'user.created' }) eventType!: string;
  @ApiProperty({
    description: 'Null as long as there is no delivery.',
    type: 'string',
    nullable: true,
    example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn',
  })
  deliveryId!: string | null;
  @ApiProperty({ enum: STATUSES, example: 'failed' }) status!: Undelivered['status'];
}

/** Whether a webhook got all events of a time. `matched` is the sum of `delivered`, `pending`, `failed`, `skipped` and `missing`. */
export class ReconciliationResponse {
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) since!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-16T00:00:00.000Z' }) until!: string;
  @ApiProperty({ description: 'Events that were for this webhook.', type: 'integer', example: 1_204 }) matched!: number;
  @ApiProperty({ description: 'Answered 2xx.', type: 'integer', example: 1_199 }) delivered!: number;
  @ApiProperty({ description: 'Still being tried, or waiting to be.', type: 'integer', example: 0 }) pending!: number;
  @ApiProperty({ description: 'Every attempt failed.', type: 'integer', example: 5 }) failed!: number;
  @ApiProperty({ description: 'Not sent, since the webhook was switched off by hand.', type: 'integer', example: 0 })
  skipped!: number;
  @ApiProperty({
    description:
      'Without any delivery: 0, unless the database lost something, as with a restored backup. Judged since the subscription last changed.',
    type: 'integer',
    example: 0,
  })
  missing!: number;
  @ApiProperty({ description: 'Whether all that matched is delivered.', example: false }) complete!: boolean;
  @ApiProperty({ description: 'What is not delivered, newest first.', type: [UndeliveredResponse] })
  undelivered!: UndeliveredResponse[];
  @ApiProperty({ description: 'Whether there are more undelivered events than are listed.', example: false }) hasMore!: boolean;

  static from({ since, until, undelivered, ...counts }: Reconciliation): ReconciliationResponse {
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      ...counts,
      complete: counts.delivered === counts.matched,
      undelivered: [...undelivered],
    };
  }
}
