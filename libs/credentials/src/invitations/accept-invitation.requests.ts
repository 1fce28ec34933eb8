import { ExactTextField, TextField } from '#http';
import { ApiProperty } from '@nestjs/swagger';

export class AcceptInvitationRequest {
  @ExactTextField({
    description: 'The token of the link in the mail.',
    required: true,
    maxLength: 256,
    example: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM',
  })
  token!: string;

  @ExactTextField({
    description: "The new password, taken exactly as sent; it must meet the organization's policy. At most 1,024 bytes.",
    required: true,
    maxLength: 1024,
    example: 'lantern orbit velvet quarry',
  })
  password!: string;

  @TextField({ description: 'First name; left out: stays as it is.', maxLength: 100, example: 'Ada' })
  firstName?: string;

  @TextField({ description: 'Last name; left out: stays as it is.', maxLength: 100, example: 'Lovelace' })
  lastName?: string;
}

export class AcceptedInvitationResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ enum: ['active'], example: 'active' }) status!: 'active';
  @ApiProperty({ description: 'The organization that manages the user.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
}
