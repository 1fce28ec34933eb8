import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '#events';
import { ChoiceField } from '#http';
import type { AttemptResult } from '../processing/deliveries.repository.js';

/** Which event to try a webhook with. */
export class TestWebhookRequest {
  @ChoiceField({
    description: 'The type of event to send an example of.',
    choices: EVENT_TYPES,
    required: true,
    example: 'user.created',
  })
  eventType!: EventType;
}

/** What a destination made of a test. */
export class TestWebhookResponse {
  @ApiProperty({ description: 'Whether the destination answered 2xx.', example: true }) success!: boolean;
  @ApiProperty({ description: 'The delivery as which the test is recorded.', example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn' })
  deliveryId!: string;
  @ApiProperty({ description: "The destination's HTTP status; 0 when it gave none.", type: 'integer', example: 200 })
  responseCode!: number;
  @ApiProperty({ description: 'In milliseconds.', type: 'integer', example: 143 }) responseTime!: number;
  @ApiProperty({ description: 'What the destination answered (at most 16 KB), or why it could not be reached.', example: 'ok' })
  responseBody!: string;

  static from(deliveryId: string, attempt: AttemptResult): TestWebhookResponse {
    return {
      success: attempt.succeeded,
      deliveryId,
      responseCode: attempt.responseCode ?? 0,
      responseTime: Math.round(attempt.durationMs),
      responseBody: attempt.responseBody ?? attempt.errorMessage ?? '',
    };
  }
}
