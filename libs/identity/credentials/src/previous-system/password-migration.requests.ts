import { BooleanField, ExactTextField, MomentField } from '#platform/http';

export class UpdatePasswordMigrationRequest {
  @ExactTextField({
    description:
      'URL of the previous system, which must use https. Required if the organization has no password migration yet. A new URL has a new secret.',
    maxLength: 2048,
    example: 'https://auth.example.com/verify-password',
  })
  url?: string;

  @MomentField({
    description:
      'When the previous system no longer confirms passwords, at most a year from now. Required if the organization has no password migration yet.',
    example: '2026-07-01T00:00:00.000Z',
  })
  endsAt?: Date;

  @BooleanField({ description: 'Whether to replace the secret of the signatures.', default: false })
  rotateSecret?: boolean;
}
