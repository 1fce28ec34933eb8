import { ApiProperty } from '@nestjs/swagger';
import { EmailField, ExactTextField, TextField } from '#http';

export const TOKEN = {
  description: 'The token of the link in the mail.',
  required: true,
  maxLength: 256,
  example: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM',
};
export const NEW_PASSWORD = {
  description: "The new password, taken exactly as sent; it must meet the organization's policy. At most 1,024 bytes.",
  required: true,
  maxLength: 1024,
  example: 'lantern orbit velvet quarry',
};
export const ORGANIZATION = { description: 'By its slug or id.', required: true, maxLength: 63, example: 'acme' };

export class ForgotPasswordRequest {
  @TextField(ORGANIZATION)
  organization!: string;

  @EmailField({ description: 'The address of the account.', required: true, example: 'ada@example.com' })
  email!: string;
}

export class ResetPasswordRequest {
  @ExactTextField(TOKEN)
  token!: string;

  @ExactTextField(NEW_PASSWORD)
  password!: string;
}

/** That a mail is on its way, if all is as it should be; the answer is the same if not. */
export class AskedMailResponse {
  @ApiProperty({ description: 'The address as it was sent.', format: 'email', example: 'ada@example.com' }) email!: string;
}

export class PasswordResetResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ format: 'email', example: 'ada@example.com' }) email!: string;
  @ApiProperty({ description: 'Until when the link works.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  expiresAt!: string;
}
