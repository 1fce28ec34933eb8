import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { descriptionOf, SERVICE_PERMISSIONS } from '#platform/common';
import { ApiList, type ListResponse, Requires } from '#platform/http';

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
  list(): ListResponse<PermissionResponse> {
    const data = SERVICE_PERMISSIONS.map((name) => ({ name, description: descriptionOf(name) }));
    return { data, pagination: { total: data.length, page: 1, limit: data.length, hasMore: false } };
  }
}
