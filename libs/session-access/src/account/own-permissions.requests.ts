import { ApiProperty } from '@nestjs/swagger';
import { SERVICE_PERMISSIONS, type ServicePermission } from '#common';
import { TextField } from '#http';

export class OwnPermissionsQuery {
  @TextField({ description: 'The organization, by its slug or id.', required: true, maxLength: 63, example: 'acme' })
  organization!: string;
}

/** What the signed-in user may do in one organization. */
export class OwnPermissionsResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;

  @ApiProperty({
    description:
      'What the roles there and in the organizations above give, as they have it: also `*`, `users:*`, and names of your own.',
    type: [String],
    example: ['organizations:read', 'members:*'],
  })
  permissions!: string[];

  @ApiProperty({
    description: 'The permissions of this service that these cover, one by one.',
    type: 'array',
    items: { type: 'string', enum: [...SERVICE_PERMISSIONS] },
    example: ['organizations:read', 'members:read', 'members:write'],
  })
  servicePermissions!: ServicePermission[];
}
