import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '#platform/events';
import type { Undelivered } from './delivery-reconciliation.query.js';
import type { Reconciliation } from './reconciliation.service.js';

const TIME_EXAMPLE = '2026-01-15T00:00:00.000Z';

const STATUSES = ['pending', 'failed', 'skipped', 'missing'];

/** An event that was not delivered to the webhook. */
export class UndeliveredResponse {
  @ApiProperty({ example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' }) eventId!: string;
  @ApiProperty({ enum: EVENT_TYPES, example: 'user.created' }) eventType!: string;
  @ApiProperty({
    description: 'Id of the delivery, or null if there is no delivery.',
    type: 'string',
    nullable: true,
    example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn',
  })
  deliveryId!: string | null;
  @ApiProperty({ description: 'Status of the delivery. `missing`: there is no delivery.', enum: STATUSES, example: 'failed' })
  status!: Undelivered['status'];
}

/** The events of a range that match a webhook, by the status of their delivery. `matched` is the sum of `delivered`, `pending`, `failed`, `skipped` and `missing`. */
export class ReconciliationResponse {
  @ApiProperty({ format: 'date-time', example: TIME_EXAMPLE }) since!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-16T00:00:00.000Z' }) until!: string;
  @ApiProperty({
    description: 'Number of events that match the webhook: the sum of `delivered`, `pending`, `failed`, `skipped` and `missing`.',
    type: 'integer',
    example: 1_204,
  })
  matched!: number;
  @ApiProperty({ description: 'Number of events whose delivery was answered with 2xx.', type: 'integer', example: 1_199 })
  delivered!: number;
  @ApiProperty({ description: 'Number of events whose delivery is in progress or waiting.', type: 'integer', example: 0 })
  pending!: number;
  @ApiProperty({
    description:
      'The part of `pending` whose last attempt failed and that waits for a retry. A replay with the status `pending` sends these events now.',
    type: 'integer',
    example: 0,
  })
  retrying!: number;
  @ApiProperty({ description: 'Number of events whose delivery failed after the last attempt.', type: 'integer', example: 5 })
  failed!: number;
  @ApiProperty({
    description: 'Number of events that were not sent because the webhook was disabled manually.',
    type: 'integer',
    example: 0,
  })
  skipped!: number;
  @ApiProperty({
    description:
      'Number of events that have no delivery. This number is 0 unless the database lost data, for example after a restore from a backup. The service looks for missing events only since `events`, `filter` or `includeDescendants` of the webhook last changed.',
    type: 'integer',
    example: 0,
  })
  missing!: number;
  @ApiProperty({ description: 'Whether all matching events were delivered.', example: false }) complete!: boolean;
  @ApiProperty({ description: 'Undelivered events, newest first.', type: [UndeliveredResponse] })
  undelivered!: UndeliveredResponse[];
  @ApiProperty({ description: 'Whether there are more undelivered events than the response contains.', example: false })
  hasMore!: boolean;

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
