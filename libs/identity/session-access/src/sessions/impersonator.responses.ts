import { ApiProperty } from '@nestjs/swagger';
import type { Impersonator } from '#platform/common';

/** The user who acts in the session of another user for support. */
export class ImpersonatorResponse {
  @ApiProperty({ description: 'Id of the user who acts.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xz' }) id!: string;
  @ApiProperty({ format: 'email', example: 'support@example.com' }) email!: string;
  @ApiProperty({ description: 'Id of the impersonation.', example: 'imp_01kf2bav4hf7r8v2m5n9q1c3ek' }) impersonationId!: string;

  static from({ id, email, impersonationId }: Impersonator): ImpersonatorResponse {
    return { id, email, impersonationId };
  }
}
