import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { SERVICE_PERMISSIONS, type ServicePermission } from '#platform/common';
import { ApiList, type ListAnswer, Requires } from '#platform/http';

const DESCRIPTIONS: Record<ServicePermission, string> = {
  'users:read': 'View users.',
  'users:write': 'Create, update, suspend and activate users.',
  'users:delete': 'Delete and restore users.',
  'organizations:read': 'View organizations, their hierarchy and their settings.',
  'organizations:write': 'Create child organizations, and update, suspend and activate organizations.',
  'organizations:delete': 'Delete and restore organizations.',
  'members:read': 'View members.',
  'members:write': 'Add and remove members, and assign and revoke roles.',
  'roles:read': 'View roles and check permissions.',
  'roles:write': 'Create, update and delete roles.',
  'webhooks:read': 'View webhooks and their deliveries.',
  'webhooks:write': 'Create, update, delete and test webhooks.',
  'api_keys:read': 'View API keys, but not the keys themselves.',
  'api_keys:write': 'Create, rotate and revoke API keys.',
  'events:read': 'View the event log.',
  'sessions:read': 'View sessions of users.',
  'sessions:write': 'Revoke sessions of users.',
  'break_glass:request': 'Request break-glass access.',
  'break_glass:approve': 'Approve or deny break-glass requests.',
  'permissions:grant': 'Grant permissions of your own applications without holding them.',
};

export class PermissionResponse {
  @ApiProperty({ example: 'users:read' }) name!: string;
  @ApiProperty({ example: 'View users.' }) description!: string;
}

@ApiTags('Roles')
@Controller('v1/permissions')
export class PermissionsController {
  @Get()
  @Requires('roles:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'listPermissions',
    summary: 'List permissions',
    description:
      'Returns the built-in permissions, which control access to this service. Roles can also contain permissions of your own applications, such as `invoices:read`.',
  })
  @ApiList(PermissionResponse, 'All permissions of this service.')
  list(): ListAnswer<PermissionResponse> {
    const data = SERVICE_PERMISSIONS.map((name) => ({ name, description: DESCRIPTIONS[name] }));
    return { data, pagination: { total: data.length, page: 1, limit: data.length, hasMore: false } };
  }
}
