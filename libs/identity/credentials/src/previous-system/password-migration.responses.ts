import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { PasswordMigration } from './password-migration.entity.js';

export class PasswordMigrationResponse {
  @ApiProperty({ format: 'uri', description: 'URL of the previous system.', example: 'https://auth.example.com/verify-password' })
  url!: string;
  @ApiProperty({
    format: 'date-time',
    description: 'When the previous system no longer confirms passwords.',
    example: '2026-07-01T00:00:00.000Z',
  })
  endsAt!: string;
  @ApiProperty({ description: 'Whether the end is in the future.', example: true }) active!: boolean;
  @ApiPropertyOptional({
    description: "Secret of the signatures. Present only if this request created it. Later responses don't contain it.",
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret?: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T09:00:00.000Z' }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T09:00:00.000Z' }) updatedAt!: string;

  static from({ url, endsAt, createdAt, updatedAt }: PasswordMigration, now: Date, secret?: string): PasswordMigrationResponse {
    return {
      url,
      endsAt: endsAt.toISOString(),
      active: endsAt > now,
      ...(secret === undefined ? {} : { secret }),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}
