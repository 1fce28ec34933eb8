import { ApiProperty } from '@nestjs/swagger';
import { EmailField, ExactTextField, TextField } from '#platform/http';

export const TOKEN = {
  description: 'Token from the link in the email.',
  required: true,
  maxLength: 256,
  example: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM',
};
export const NEW_PASSWORD = {
  description: 'New password, used exactly as sent. It must meet the password policy of the organization. At most 1,024 bytes.',
  required: true,
  maxLength: 1024,
  example: 'lantern orbit velvet quarry',
};
export const ORGANIZATION = { description: 'Id or slug of the organization.', required: true, maxLength: 63, example: 'acme' };

export class ForgotPasswordRequest {
  @TextField(ORGANIZATION)
  organization!: string;

  @EmailField({ description: 'Email address of the account.', required: true, example: 'ada@example.com' })
  email!: string;
}

export class ResetPasswordRequest {
  @ExactTextField(TOKEN)
  token!: string;

  @ExactTextField(NEW_PASSWORD)
  password!: string;
}

/** The response to a request for an email. The response does not reveal whether an email is sent. */
export class AskedMailResponse {
  @ApiProperty({ description: 'Email address from the request.', format: 'email', example: 'ada@example.com' }) email!: string;
}

export class PasswordResetResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ format: 'email', example: 'ada@example.com' }) email!: string;
  @ApiProperty({ description: 'Time at which the link expires.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  expiresAt!: string;
}
