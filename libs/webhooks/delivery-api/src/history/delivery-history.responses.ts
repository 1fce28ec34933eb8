import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { EVENT_TYPES } from '#platform/events';
import type { ListedDelivery } from './delivery-details.service.js';
import { DELIVERY_STATUSES, type DeliveryRow, type DeliveryStatus } from './delivery-history.query.js';

export const TIME_EXAMPLE = '2026-01-15T10:00:00.000Z';

export const nullableTime = { type: 'string', format: 'date-time', nullable: true, example: TIME_EXAMPLE } as const;

export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The delivery of an event to a webhook. */
export class DeliveryResponse {
  @ApiProperty({ example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn' }) id!: string;
  @ApiProperty({ example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' }) eventId!: string;
  @ApiProperty({ enum: EVENT_TYPES, example: 'user.created' }) eventType!: string;
  @ApiProperty({ example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' }) webhookId!: string;
  @ApiProperty({ description: 'Whether this is a test delivery.', example: false }) test!: boolean;
  @ApiProperty({
    description:
      'Sequence number of the delivery. The deliveries of a webhook are numbered without gaps. Null for a test delivery.',
    type: 'integer',
    nullable: true,
    example: 17,
  })
  sequence!: number | null;
  @ApiProperty({
    description:
      '`pending`: the delivery waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the destination answered with 2xx. `failed`: all attempts failed. `skipped`: the delivery was not sent, for example because the webhook was disabled manually.',
    enum: DELIVERY_STATUSES,
    example: 'succeeded',
  })
  status!: DeliveryStatus;
  @ApiProperty({ description: 'Number of attempts so far.', type: 'integer', example: 1 }) attemptCount!: number;
  @ApiProperty({
    ...nullableTime,
    description: 'Time of the next attempt, or null if no attempt is scheduled, for example while the webhook is disabled.',
  })
  nextAttemptAt!: string | null;
  @ApiProperty({
    description: 'HTTP status of the response to the last attempt. Null if there was no response.',
    type: 'integer',
    nullable: true,
    example: 200,
  })
  lastResponseCode!: number | null;
  @ApiProperty({
    description: 'Kind of failure of the last attempt. Null if the last attempt succeeded, or if there was no attempt.',
    type: 'string',
    nullable: true,
    example: null,
  })
  lastErrorKind!: string | null;
  @ApiProperty({ description: 'Time at which the delivery was created.', format: 'date-time', example: TIME_EXAMPLE })
  createdAt!: string;
  @ApiProperty({
    ...nullableTime,
    description:
      'Time at which the status became `succeeded`, `failed` or `skipped`. Null while the status is `pending` or `delivering`.',
  })
  completedAt!: string | null;

  static from(row: DeliveryRow): DeliveryResponse {
    const { id, eventId, eventType, webhookId, test, sequence, status, attemptCount, lastResponseCode, lastErrorKind } = row;
    return {
      id,
      eventId,
      eventType,
      webhookId,
      test,
      sequence: sequence === null ? null : Number(sequence),
      status,
      attemptCount,
      nextAttemptAt: isoOrNull(row.nextAttemptAt),
      lastResponseCode,
      lastErrorKind,
      createdAt: row.createdAt.toISOString(),
      completedAt: isoOrNull(row.completedAt),
    };
  }
}

export class DeliverySubjectResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Email address of the user, or name of the resource. Null if the event does not contain it.',
    example: 'jane.doe@example.com',
  })
  name!: string | null;
}

/** A delivery in a list. */
export class DeliveryListItemResponse extends DeliveryResponse {
  @ApiProperty({
    description:
      'What the event is about: the user, otherwise the group, role or other resource. Null for test deliveries, for events that are about none, after the retention period of the event, and for callers without the permission `events:read`.',
    oneOf: [{ $ref: getSchemaPath(DeliverySubjectResponse) }, { type: 'null' }],
    example: { id: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw', name: 'jane.doe@example.com' },
  })
  subject!: DeliverySubjectResponse | null;

  static of({ delivery, subject }: ListedDelivery): DeliveryListItemResponse {
    return { ...DeliveryResponse.from(delivery), subject: subject && { ...subject } };
  }
}
