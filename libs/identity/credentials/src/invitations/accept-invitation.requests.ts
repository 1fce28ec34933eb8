import { ExactTextField, TextField } from '#platform/http';
import { ApiProperty } from '@nestjs/swagger';

export class AcceptInvitationRequest {
  @ExactTextField({
    description: 'Token from the link in the email.',
    required: true,
    maxLength: 256,
    example: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM',
  })
  token!: string;

  @ExactTextField({
    description: 'New password, used exactly as sent. It must meet the password policy of the organization. At most 1,024 bytes.',
    required: true,
    maxLength: 1024,
    example: 'lantern orbit velvet quarry',
  })
  password!: string;

  @TextField({ description: "First name. If you don't send it, the first name stays unchanged.", maxLength: 100, example: 'Ada' })
  firstName?: string;

  @TextField({
    description: "Last name. If you don't send it, the last name stays unchanged.",
    maxLength: 100,
    example: 'Lovelace',
  })
  lastName?: string;
}

export class AcceptedInvitationResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ enum: ['active'], example: 'active' }) status!: 'active';
  @ApiProperty({ description: 'Id of the organization that manages the user.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
}
