import { ApiProperty } from '@nestjs/swagger';
import { SERVICE_PERMISSIONS, type ServicePermission } from '#platform/common';
import { TextField } from '#platform/http';

export class OwnPermissionsQuery {
  @TextField({ description: 'Id or slug of the organization.', required: true, maxLength: 63, example: 'acme' })
  organization!: string;
}

export class OwnPermissionsResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;

  @ApiProperty({
    description:
      'All permissions in the roles that you have in the organization and its ancestors. The list can include wildcards such as `*` and `users:*`, and permissions of your own applications.',
    type: [String],
    example: ['organizations:read', 'members:*'],
  })
  permissions!: string[];

  @ApiProperty({
    description: 'All permissions of this service that `permissions` covers. This list contains no wildcards.',
    type: 'array',
    items: { type: 'string', enum: SERVICE_PERMISSIONS as ServicePermission[] },
    example: ['organizations:read', 'members:read', 'members:write'],
  })
  servicePermissions!: ServicePermission[];
}
