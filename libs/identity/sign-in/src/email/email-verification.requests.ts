import { ApiProperty } from '@nestjs/swagger';
import { ExactTextField } from '#platform/http';
import { TOKEN } from '../recovery/password-reset.requests.js';

export class VerifyEmailRequest {
  @ExactTextField(TOKEN)
  token!: string;
}

export class VerifiedEmailResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ description: 'Verified email address of the account.', format: 'email', example: 'ada@example.com' })
  email!: string;
  @ApiProperty({ enum: ['active'], example: 'active' }) status!: string;
}

export class CanceledEmailChangeResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ description: 'Email address that the account keeps.', format: 'email', example: 'ada@example.com' })
  email!: string;
  @ApiProperty({ description: 'Number of sessions that were revoked.', type: 'integer', example: 2 }) sessionsRevoked!: number;
}
