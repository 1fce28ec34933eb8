import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The options with which a browser uses a passkey. */
export const REQUEST_OPTIONS = {
  type: 'object',
  additionalProperties: true,
  description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. They can be used once, within 5 minutes.',
  example: { challenge: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM', rpId: 'iam.example.com' },
} as const;

export class MfaChallengeResponse {
  @ApiProperty({ enum: ['passkey', 'email', 'sms'], example: 'email' }) method!: string;
  @ApiPropertyOptional({
    description: 'Masked email address or phone number that the code was sent to.',
    example: 'a•••@example.com',
  })
  destination?: string;
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Time at which the code expires.',
    example: '2026-01-31T12:00:00.000Z',
  })
  expiresAt?: string;
  @ApiPropertyOptional(REQUEST_OPTIONS) publicKey?: object;
}
