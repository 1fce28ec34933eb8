import { ApiProperty } from '@nestjs/swagger';
import type { AttemptResult } from '#webhooks/delivery';

/** The result of a test delivery. */
export class TestWebhookResponse {
  @ApiProperty({ description: 'Whether the destination answered with 2xx.', example: true }) success!: boolean;
  @ApiProperty({ description: 'Id of the delivery that records the test.', example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn' })
  deliveryId!: string;
  @ApiProperty({ description: 'HTTP status of the response, or 0 if there was no response.', type: 'integer', example: 200 })
  responseCode!: number;
  @ApiProperty({ description: 'Duration of the attempt in milliseconds.', type: 'integer', example: 143 }) responseTime!: number;
  @ApiProperty({ description: 'Response body (at most 16 KB), or the reason why there was no response.', example: 'ok' })
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
