import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Requires,
} from '#platform/http';
import { ListPreviewedGroupsQuery, ListPreviewedUsersQuery } from './scim-preview.requests.js';
import { PreviewedGroupResponse, PreviewedUserResponse, ScimPreviewResponse } from './scim-preview.responses.js';
import { ScimPreviewService } from './scim-preview.service.js';

const CONNECTION_ID = { name: 'connection', description: 'Id of the connection.', example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek' };
const NOT_FOUND = 'The organization or connection does not exist.';

@ApiTags('SCIM connections')
@Controller('v1/organizations/:org/scim-connections/:connection/preview')
export class ScimPreviewController {
  constructor(private readonly previews: ScimPreviewService) {}

  @Get()
  @Requires('scim:read')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'getScimPreview',
    summary: 'Count what a SCIM connection would do',
    description: 'Counts the changes that the connection has recorded in the mode `preview`, or could not apply.',
  })
  @ApiData(ScimPreviewResponse, { description: 'The recorded changes.' })
  @ApiProblems({ 404: NOT_FOUND })
  async summarize(@Ctx() ctx: RequestContext, @Param('connection') id: string): Promise<DataResponse<ScimPreviewResponse>> {
    return { data: await this.previews.summarize(ctx, id) };
  }

  @Get('users')
  @Requires('users:read')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'listScimPreviewUsers',
    summary: 'List the users whom a SCIM connection would change',
    description: 'Requires `users:read`, because the list contains the email addresses of users.',
  })
  @ApiList(PreviewedUserResponse)
  @ApiProblems({ 400: 'Invalid action, limit or cursor.', 404: NOT_FOUND })
  async listUsers(
    @Ctx() ctx: RequestContext,
    @Param('connection') id: string,
    @Query() query: ListPreviewedUsersQuery,
  ): Promise<ListResponse<PreviewedUserResponse>> {
    const page = await this.previews.listUsers(ctx, id, query.action, PageQuery.read(query));
    return listResponse(page, PreviewedUserResponse.from);
  }

  @Get('groups')
  @Requires('groups:read')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'listScimPreviewGroups',
    summary: 'List the groups that a SCIM connection would change',
    description: 'Requires `groups:read`, because the list contains the names of groups.',
  })
  @ApiList(PreviewedGroupResponse)
  @ApiProblems({ 400: 'Invalid action, limit or cursor.', 404: NOT_FOUND })
  async listGroups(
    @Ctx() ctx: RequestContext,
    @Param('connection') id: string,
    @Query() query: ListPreviewedGroupsQuery,
  ): Promise<ListResponse<PreviewedGroupResponse>> {
    const page = await this.previews.listGroups(ctx, id, query.action, PageQuery.read(query));
    return listResponse(page, PreviewedGroupResponse.from);
  }
}
