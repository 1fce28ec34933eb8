import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiIdParam, ApiList, ApiProblems, Ctx, type ListResponse, listResponse, PageQuery, Requires } from '#platform/http';
import { AsOf } from '#directory/organizations';
import { GroupsService } from './groups.service.js';
import { ListUserGroupsQuery } from './group.requests.js';
import { GroupResponse } from './group.responses.js';

@ApiTags('Groups')
@Controller('v1/organizations/:org/users/:id/groups')
export class UserGroupsController {
  constructor(private readonly groups: GroupsService) {}

  @AsOf({ otherParameters: true })
  @Get()
  @Requires('groups:read')
  @ApiIdParam({ name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiOperation({
    operationId: 'listUserGroups',
    summary: 'List the groups of a user',
    description: 'Returns the groups of the organization that a user is a member of, newest group first.',
  })
  @ApiList(GroupResponse)
  @ApiProblems({ 404: 'The organization or user does not exist.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id') userId: string,
    @Query() query: ListUserGroupsQuery,
  ): Promise<ListResponse<GroupResponse>> {
    return listResponse(await this.groups.listOfUser(ctx, userId, PageQuery.read(query)), GroupResponse.from);
  }
}
