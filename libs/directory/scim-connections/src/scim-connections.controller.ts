import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
  withETag,
} from '#platform/http';
import { ScimActivationService } from './limits/scim-activation.service.js';
import type { ScimConnection } from './scim-connection.entity.js';
import { CreateScimConnectionRequest, UpdateScimConnectionRequest } from './scim-connection.requests.js';
import { ScimConnectionResponse } from './scim-connection.responses.js';
import { ScimConnectionsService } from './scim-connections.service.js';

const CONNECTION_ID = { name: 'id', description: 'Id of the connection.', example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek' };
const FORBIDDEN =
  'The caller lacks permissions that the connection has (`forbidden`): it needs all permissions in the organization.';

@ApiTags('SCIM connections')
@AllowedInSetup('scim')
@Controller('v1/organizations/:org/scim-connections')
export class ScimConnectionsController {
  constructor(
    private readonly connections: ScimConnectionsService,
    private readonly activation: ScimActivationService,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @Requires('scim:read')
  @ApiOperation({ operationId: 'listScimConnections', summary: 'List SCIM connections' })
  @ApiList(ScimConnectionResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<ScimConnectionResponse>> {
    return listResponse(await this.connections.list(ctx, PageQuery.read(query)), (connection) => this.responseOf(connection));
  }

  @Get(':id')
  @Requires('scim:read')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({ operationId: 'getScimConnection', summary: 'Get a SCIM connection' })
  @ApiData(ScimConnectionResponse, { description: 'The connection.' })
  @ApiProblems({ 404: 'The organization or connection does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ScimConnectionResponse>> {
    return this.dataOf(await this.connections.get(ctx, id));
  }

  @Post()
  @Requires('scim:write')
  @ApiOperation({
    operationId: 'createScimConnection',
    summary: 'Create a SCIM connection',
    description:
      'Creates a connection with which a directory, such as Okta or Entra ID, provisions the users and groups of the organization. Create a token for it, then enter `baseUrl` and the token in the directory. ' +
      RECENT_SIGN_IN +
      ' Publishes `scim_connection.created`.',
  })
  @ApiData(ScimConnectionResponse, { status: 201, description: 'The connection was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization does not exist.',
    409: '`scim_connection_limit`, `organization_suspended`.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateScimConnectionRequest,
  ): Promise<DataResponse<ScimConnectionResponse>> {
    return this.dataOf(await this.connections.create(ctx, body));
  }

  @Patch(':id')
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiIfMatch()
  @ApiOperation({
    operationId: 'updateScimConnection',
    summary: 'Update a SCIM connection',
    description: `${RECENT_SIGN_IN} Publishes \`scim_connection.updated\` if something changes.`,
  })
  @ApiData(ScimConnectionResponse, { description: 'The updated connection.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization or connection does not exist.',
    409: '`organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateScimConnectionRequest,
  ): Promise<DataResponse<ScimConnectionResponse>> {
    return this.dataOf(await this.connections.update(ctx, id, body));
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'activateScimConnection',
    summary: 'Activate a SCIM connection',
    description:
      'Of a connection in `preview`, applies the recorded changes in the background, within the limits: its mode is `applying`, then `active`, or `stopped` at a limit. Lets a stopped connection continue, without limits for an hour. ' +
      RECENT_SIGN_IN +
      ' Publishes `scim_connection.updated` if the mode changes.',
  })
  @ApiData(ScimConnectionResponse, { description: 'The connection.' })
  @ApiProblems({
    403: FORBIDDEN,
    404: 'The organization or connection does not exist.',
    409: '`scim_connection_busy`, `organization_suspended`.',
  })
  async activate(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ScimConnectionResponse>> {
    return this.dataOf(await this.activation.activate(ctx, id));
  }

  @Post(':id/start-preview')
  @HttpCode(200)
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'startScimPreview',
    summary: 'Preview the changes of a SCIM connection',
    description:
      'From now on, changes by the directory are only recorded. The directory gets the same responses as if they were applied. `activateScimConnection` applies them. ' +
      RECENT_SIGN_IN +
      ' Publishes `scim_connection.updated` if the mode changes.',
  })
  @ApiData(ScimConnectionResponse, { description: 'The connection.' })
  @ApiProblems({
    403: FORBIDDEN,
    404: 'The organization or connection does not exist.',
    409: '`scim_connection_busy`, `organization_suspended`.',
  })
  async preview(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ScimConnectionResponse>> {
    return this.dataOf(await this.activation.preview(ctx, id));
  }

  @Post(':id/roll-back')
  @HttpCode(200)
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'rollBackScimConnection',
    summary: 'Restore the users whom a stopped SCIM connection removed',
    description:
      'Restores the users whom the connection suspended or deleted in the hour before it was stopped and since then, in the background: its mode is `rolling_back`, then `stopped`. Also possible in `preview`, and for a day after the stop when the connection is active again. Users about whom somebody else decided later, and users whose email address or `userName` belongs to another user now, stay as they are. Sessions stay revoked. ' +
      RECENT_SIGN_IN +
      ' Publishes `scim_connection.updated`, `user.activated` or `user.updated` for each user, and `scim_connection.rolled_back`.',
  })
  @ApiData(ScimConnectionResponse, { description: 'The connection.' })
  @ApiProblems({
    403: FORBIDDEN,
    404: 'The organization or connection does not exist.',
    409: '`scim_connection_busy`, `scim_connection_not_stopped`, `organization_suspended`.',
  })
  async rollBack(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ScimConnectionResponse>> {
    return this.dataOf(await this.activation.rollBack(ctx, id));
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiIfMatch()
  @ApiOperation({
    operationId: 'deleteScimConnection',
    summary: 'Delete a SCIM connection',
    description:
      'Deletes the connection and its tokens. The users and groups of the connection stay, and are managed with the API from then on. ' +
      RECENT_SIGN_IN +
      ' Publishes `scim_connection.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The connection was deleted.' })
  @ApiProblems({ 403: FORBIDDEN, 404: 'The organization or connection does not exist.', 409: '`organization_suspended`.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.connections.delete(ctx, id);
  }

  private dataOf(connection: ScimConnection): DataResponse<ScimConnectionResponse> {
    return withETag({ data: this.responseOf(connection) }, connection.version);
  }

  private responseOf(connection: ScimConnection): ScimConnectionResponse {
    return ScimConnectionResponse.from(connection, this.config.baseUrl);
  }
}
