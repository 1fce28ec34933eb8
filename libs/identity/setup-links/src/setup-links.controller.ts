import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  withETag,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { CreateSetupLinkRequest, UpdateSetupLinkRequest } from './setup-link.requests.js';
import { SetupLinkResponse } from './setup-link.responses.js';
import { SetupLinksService } from './setup-links.service.js';

const SETUP_LINK_ID = { name: 'id', description: 'Id of the setup link.', example: 'sl_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Setup links')
@Controller('v1/organizations/:org/setup-links')
export class SetupLinksController {
  constructor(private readonly setupLinks: SetupLinksService) {}

  @Get()
  @Requires('setup_links:read')
  @ApiOperation({ operationId: 'listSetupLinks', summary: 'List setup links' })
  @ApiList(SetupLinkResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<SetupLinkResponse>> {
    return listResponse(await this.setupLinks.list(ctx, PageQuery.read(query)), SetupLinkResponse.from);
  }

  @Get(':id')
  @Requires('setup_links:read')
  @ApiIdParam(SETUP_LINK_ID)
  @ApiOperation({ operationId: 'getSetupLink', summary: 'Get a setup link' })
  @ApiData(SetupLinkResponse, { description: 'The setup link.' })
  @ApiProblems({ 404: 'The organization or setup link does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<SetupLinkResponse>> {
    const setupLink = await this.setupLinks.get(ctx, id);
    return withETag({ data: SetupLinkResponse.from(setupLink) }, setupLink.version);
  }

  @Post()
  @Requires('setup_links:write')
  @ApiOperation({ operationId: 'createSetupLink', summary: 'Create a setup link' })
  @ApiData(SetupLinkResponse, { status: 201, description: 'The setup link was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization does not exist.',
    409: '`setup_link_name_taken`, `setup_link_limit`, `organization_suspended`.',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateSetupLinkRequest): Promise<DataResponse<SetupLinkResponse>> {
    return { data: SetupLinkResponse.from(await this.setupLinks.create(ctx, body)) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('setup_links:write')
  @ApiIdParam(SETUP_LINK_ID)
  @ApiOperation({
    operationId: 'updateSetupLink',
    summary: 'Update a setup link',
    description: 'Fields that are absent from the request are not changed.',
  })
  @ApiData(SetupLinkResponse, { description: 'The updated setup link.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization or setup link does not exist.',
    409: '`setup_link_name_taken`, `organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateSetupLinkRequest,
  ): Promise<DataResponse<SetupLinkResponse>> {
    const setupLink = await this.setupLinks.update(ctx, id, body);
    return withETag({ data: SetupLinkResponse.from(setupLink) }, setupLink.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('setup_links:write')
  @ApiIdParam(SETUP_LINK_ID)
  @ApiOperation({ operationId: 'deleteSetupLink', summary: 'Delete a setup link' })
  @ApiNoContentResponse({ description: 'The setup link was deleted.' })
  @ApiProblems({ 404: 'The organization or setup link does not exist.', 409: '`organization_suspended`.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.setupLinks.delete(ctx, id);
  }
}
