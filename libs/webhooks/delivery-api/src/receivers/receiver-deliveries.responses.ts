import { ApiProperty } from '@nestjs/swagger';
import type { AttemptRow, DeliveryRow } from '../history/delivery-history.query.js';
import { isoOrNull, nullableTime, TIME_EXAMPLE } from '../history/delivery-history.responses.js';

export const DELIVERY_PARAM = {
  name: 'deliveryId',
  description: 'Id of the delivery.',
  example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn',
};

const NULLABLE_TEXT = { type: String, nullable: true, example: null } as const;
const NULLABLE_CODE = { type: 'integer', nullable: true, example: 200 } as const;

/** What the deliveries to all receivers that are no webhooks have in common. */
export class ReceiverDeliveryResponse {
  @ApiProperty({ description: DELIVERY_PARAM.description, example: DELIVERY_PARAM.example }) id!: string;
  @ApiProperty({ description: 'Number of attempts so far.', type: 'integer', example: 1 }) attemptCount!: number;
  @ApiProperty({ ...nullableTime, description: 'Time of the next attempt, or null if no attempt is scheduled.', example: null })
  nextAttemptAt!: string | null;
  @ApiProperty({ ...NULLABLE_CODE, description: 'HTTP status of the response to the last attempt, or null without a response.' })
  lastResponseCode!: number | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Kind of failure of the last attempt, or null.' }) lastErrorKind!: string | null;
  @ApiProperty({ description: 'Time at which the delivery was created.', format: 'date-time', example: TIME_EXAMPLE })
  createdAt!: string;
  @ApiProperty({ ...nullableTime, description: 'Time at which the status became final, or null.' }) completedAt!: string | null;

  static fieldsOf(row: DeliveryRow): ReceiverDeliveryResponse & Pick<DeliveryRow, 'eventId' | 'status'> {
    const { id, eventId, status, attemptCount, lastResponseCode, lastErrorKind } = row;
    return {
      id,
      eventId,
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

/** One attempt to deliver to a receiver that is no webhook. */
export class ReceiverAttemptResponse {
  @ApiProperty({ description: 'Number of the attempt, starting at 1.', type: 'integer', example: 1 }) number!: number;
  @ApiProperty({ description: 'Time at which the attempt started.', format: 'date-time', example: TIME_EXAMPLE })
  startedAt!: string;
  @ApiProperty({ description: 'Duration of the attempt in milliseconds.', type: 'integer', example: 43 }) responseTime!: number;
  @ApiProperty({ ...NULLABLE_CODE, description: 'HTTP status of the response, or null without a response.' })
  responseCode!: number | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'First 16 KB of the response body, or null without a response.' })
  responseBody!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Kind of failure, or null if the attempt succeeded.' }) errorKind!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why the attempt failed, or null if it succeeded.' }) errorMessage!:
    | string
    | null;

  static fieldsOf(this: void, row: AttemptRow): ReceiverAttemptResponse {
    const { number, startedAt, responseTimeMs: responseTime, responseCode, responseBody, errorKind, errorMessage } = row;
    return { number, startedAt: startedAt.toISOString(), responseTime, responseCode, responseBody, errorKind, errorMessage };
  }
}
