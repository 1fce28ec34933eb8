import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { SERVICE_PERMISSIONS, type ServicePermission } from '#common';
import { ApiList, type ListAnswer, Requires } from '#http';

const DESCRIPTIONS: Record<ServicePermission, string> = {
  'users:read': 'See users.',
  'users:write': 'Create, change, suspend and activate users.',
  'users:delete': 'Delete users.',
  'organizations:read': 'See organizations, their tree and settings.',
  'organizations:write': 'Create organizations below, and change, suspend and activate organizations.',
  'organizations:delete': 'Delete and restore organizations.',
  'members:read': 'See members.',
  'members:write': 'Add and remove members, and assign and revoke roles.',
  'roles:read': 'See roles, and check permissions.',
  'roles:write': 'Create, change and delete roles.',
  'webhooks:read': 'See webhooks and their deliveries.',
  'webhooks:write': 'Create, change, delete and test webhooks.',
  'api_keys:read': 'See API keys (never the key itself).',
  'api_keys:write': 'Create, rotate and revoke API keys.',
  'events:read': 'See the event log.',
  'sessions:read': 'See sessions of users.',
  'sessions:write': 'Revoke sessions of users.',
  'break_glass:request': 'Ask for emergency access.',
  'break_glass:approve': 'Approve or deny emergency access.',
  'permissions:grant': 'Grant permissions of your own applications without holding them.',
};

export class PermissionResponse {
  @ApiProperty({ example: 'users:read' }) name!: string;
  @ApiProperty({ example: 'See users.' }) description!: string;
}

@ApiTags('Roles')
@Controller('v1/permissions')
export class PermissionsController {
  @Get()
  @Requires('roles:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'listPermissions',
    summary: 'List the permissions of this service',
    description: 'Roles may hold any further names of your own.',
  })
  @ApiList(PermissionResponse, 'All permissions that this service checks itself.')
  list(): ListAnswer<PermissionResponse> {
    const data = SERVICE_PERMISSIONS.map((name) => ({ name, description: DESCRIPTIONS[name] }));
    return { data, pagination: { total: data.length, page: 1, limit: data.length, hasMore: false } };
  }
}
