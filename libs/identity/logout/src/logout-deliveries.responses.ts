import { ApiProperty } from '@nestjs/swagger';
import { CLIENT_ID } from '#identity/oauth';
import { type AttemptRow, DELIVERY_STATUSES, type DeliveryStatus } from '#webhooks/delivery-api';
import type { LogoutDelivery } from './logout-deliveries.service.js';

export const DELIVERY_PARAM = {
  name: 'deliveryId',
  description: 'Id of the delivery.',
  example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn',
};

const TIME = '2026-01-15T10:00:00.000Z';
const NULLABLE_TIME = { type: String, format: 'date-time', nullable: true, example: TIME } as const;
const NULLABLE_TEXT = { type: String, nullable: true, example: null } as const;
const NULLABLE_CODE = { type: 'integer', nullable: true, example: 200 } as const;

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A logout token for an OAuth client. */
export class LogoutDeliveryResponse {
  @ApiProperty({ description: 'Id of the delivery.', example: DELIVERY_PARAM.example }) id!: string;
  @ApiProperty({ description: 'Id of the event `oauth_session.ended`.', example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' })
  eventId!: string;
  @ApiProperty({ description: 'Id of the client.', example: CLIENT_ID }) clientId!: string;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Id of the user whose session ended. Null if the retention period of the event is over.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  userId!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Id of the session, or null.', example: 'ses_01kf2bk2q7h9v3t5m8w1x4r6ce' })
  sessionId!: string | null;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why the session ended, as in `oauth_session.ended`, or null.',
    example: 'user_suspended',
  })
  reason!: string | null;
  @ApiProperty({
    description:
      '`pending`: the delivery waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the client answered with 2xx. `failed`: all attempts failed. `skipped`: the client was deleted or has no `backchannelLogoutUri` any more.',
    enum: DELIVERY_STATUSES,
    example: 'succeeded',
  })
  status!: DeliveryStatus;
  @ApiProperty({ description: 'Number of attempts so far.', type: 'integer', example: 1 }) attemptCount!: number;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time of the next attempt, or null if no attempt is scheduled.', example: null })
  nextAttemptAt!: string | null;
  @ApiProperty({ ...NULLABLE_CODE, description: 'HTTP status of the response to the last attempt, or null without a response.' })
  lastResponseCode!: number | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Kind of failure of the last attempt, or null.' }) lastErrorKind!: string | null;
  @ApiProperty({ description: 'Time at which the delivery was created.', format: 'date-time', example: TIME }) createdAt!: string;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time at which the status became final, or null.' }) completedAt!: string | null;

  static from(this: void, row: LogoutDelivery): LogoutDeliveryResponse {
    const { id, eventId, webhookId: clientId, status, attemptCount, lastResponseCode, lastErrorKind } = row;
    return {
      id,
      eventId,
      clientId,
      userId: row.ended?.userId ?? null,
      sessionId: row.ended?.sessionId ?? null,
      reason: row.ended?.reason ?? null,
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

/** One request to the client. */
export class LogoutAttemptResponse {
  @ApiProperty({ description: 'Number of the attempt, starting at 1.', type: 'integer', example: 1 }) number!: number;
  @ApiProperty({ description: 'Time at which the attempt started.', format: 'date-time', example: TIME }) startedAt!: string;
  @ApiProperty({ description: 'Duration of the attempt in milliseconds.', type: 'integer', example: 43 }) responseTime!: number;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'URL to which the token was sent.',
    example: 'https://billing.example.com/logout',
  })
  url!: string | null;
  @ApiProperty({ ...NULLABLE_CODE, description: 'HTTP status of the response, or null without a response.' })
  responseCode!: number | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'First 16 KB of the response body, or null without a response.' })
  responseBody!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Kind of failure, or null if the attempt succeeded.' }) errorKind!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why the attempt failed, or null if it succeeded.' }) errorMessage!:
    | string
    | null;

  static from(this: void, row: AttemptRow): LogoutAttemptResponse {
    const { number, startedAt, responseTimeMs, requestUrl, responseCode, responseBody, errorKind, errorMessage } = row;
    return {
      number,
      startedAt: startedAt.toISOString(),
      responseTime: responseTimeMs,
      url: requestUrl,
      responseCode,
      responseBody,
      errorKind,
      errorMessage,
    };
  }
}

/** A logout token with its attempts. */
export class LogoutDeliveryDetailsResponse extends LogoutDeliveryResponse {
  @ApiProperty({ description: 'Attempts so far, oldest first.', type: [LogoutAttemptResponse] })
  attempts!: LogoutAttemptResponse[];

  static of(row: LogoutDelivery & { attempts: readonly AttemptRow[] }): LogoutDeliveryDetailsResponse {
    return { ...LogoutDeliveryResponse.from(row), attempts: row.attempts.map(LogoutAttemptResponse.from) };
  }
}
