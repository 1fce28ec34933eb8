import { ApiProperty } from '@nestjs/swagger';
import { CLIENT_ID } from '#identity/oauth';
import {
  type AttemptRow,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  ReceiverAttemptResponse,
  ReceiverDeliveryResponse,
} from '#webhooks/delivery-api';
import type { LogoutDelivery } from './logout-deliveries.service.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;

/** A logout token for an OAuth client. */
export class LogoutDeliveryResponse extends ReceiverDeliveryResponse {
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

  static from(this: void, row: LogoutDelivery): LogoutDeliveryResponse {
    return {
      ...ReceiverDeliveryResponse.fieldsOf(row),
      clientId: row.webhookId,
      userId: row.ended?.userId ?? null,
      sessionId: row.ended?.sessionId ?? null,
      reason: row.ended?.reason ?? null,
    };
  }
}

/** One request to the client. */
export class LogoutAttemptResponse extends ReceiverAttemptResponse {
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'URL to which the token was sent.',
    example: 'https://billing.example.com/logout',
  })
  url!: string | null;

  static from(this: void, row: AttemptRow): LogoutAttemptResponse {
    return { ...ReceiverAttemptResponse.fieldsOf(row), url: row.requestUrl };
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
