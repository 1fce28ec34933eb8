import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** What a browser needs to sign with a passkey. */
export const REQUEST_OPTIONS = {
  type: 'object',
  additionalProperties: true,
  description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()`; to be answered once, within five minutes.',
  example: { challenge: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM', rpId: 'iam.example.com' },
} as const;

/** What was done so that the challenge can be met. */
export class MfaChallengeResponse {
  @ApiProperty({ enum: ['passkey', 'email', 'sms'], example: 'email' }) method!: string;
  @ApiPropertyOptional({ description: 'Where a code was sent, masked.', example: 'a•••@example.com' }) destination?: string;
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Until when the code can be used.',
    example: '2026-01-31T12:00:00.000Z',
  })
  expiresAt?: string;
  @ApiPropertyOptional(REQUEST_OPTIONS) publicKey?: object;
}
