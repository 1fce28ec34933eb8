import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
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
  Post,
  Requires,
} from '#platform/http';
import { CreateSetupLinkRequest } from './setup-link.requests.js';
import { CreatedSetupLinkResponse, SetupLinkResponse } from './setup-link.responses.js';
import { SetupLinksService } from './setup-links.service.js';

const SETUP_LINK_ID = { name: 'id', description: 'Id of the setup link.', example: 'sl_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Setup links')
@Controller('v1/organizations/:org/setup-links')
export class SetupLinksController {
  constructor(
    private readonly setupLinks: SetupLinksService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('setup_links:read')
  @ApiOperation({
    operationId: 'listSetupLinks',
    summary: 'List setup links',
    description: 'Returns the setup links of the organization without their URLs. Revoked links are not returned.',
  })
  @ApiList(SetupLinkResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<SetupLinkResponse>> {
    const now = this.clock.now();
    return listResponse(await this.setupLinks.list(ctx, PageQuery.read(query)), (link) => SetupLinkResponse.from(link, now));
  }

  @Get(':id')
  @Requires('setup_links:read')
  @ApiIdParam(SETUP_LINK_ID)
  @ApiOperation({ operationId: 'getSetupLink', summary: 'Get a setup link' })
  @ApiData(SetupLinkResponse, { description: 'The setup link.' })
  @ApiProblems({ 404: 'The organization or setup link does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<SetupLinkResponse>> {
    return { data: SetupLinkResponse.from(await this.setupLinks.get(ctx, id), this.clock.now()) };
  }

  @Post()
  @Requires('setup_links:write')
  @ApiOperation({
    operationId: 'createSetupLink',
    summary: 'Create a setup link',
    description:
      'Creates a link to a page on which a person without an account sets up the organization and its descendants, for example an administrator of a customer. The link can do nothing else than its `steps`. It works until it expires or is revoked, and only while its creator has the permissions of the steps: an active user, or a valid API key or the key that it was rotated to. Only this response contains the URL. Expired links of the organization are deleted. ' +
      RECENT_SIGN_IN +
      ' Publishes `setup_link.created`.',
  })
  @ApiData(CreatedSetupLinkResponse, { status: 201, description: 'The setup link was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: 'The caller lacks permissions of the steps (`grant_beyond_own`).',
    404: 'The organization does not exist.',
    409: '`setup_link_limit`, `organization_suspended`.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateSetupLinkRequest,
  ): Promise<DataResponse<CreatedSetupLinkResponse>> {
    return { data: CreatedSetupLinkResponse.of(await this.setupLinks.create(ctx, body), this.clock.now()) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('setup_links:write')
  @ApiIdParam(SETUP_LINK_ID)
  @ApiOperation({
    operationId: 'revokeSetupLink',
    summary: 'Revoke a setup link',
    description:
      'The link stops working at once. What was set up with it stays. Links of other creators need the permissions of their steps. Publishes `setup_link.revoked`.',
  })
  @ApiNoContentResponse({ description: 'The setup link was revoked.' })
  @ApiProblems({
    403: 'The caller did not create the link and lacks permissions of its steps.',
    404: 'The organization or setup link does not exist.',
    409: '`organization_suspended`.',
  })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.setupLinks.revoke(ctx, id);
  }
}
