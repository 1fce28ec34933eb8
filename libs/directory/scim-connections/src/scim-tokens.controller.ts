import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
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
import { CreateScimTokenRequest, RotateScimTokenRequest } from './scim-connection.requests.js';
import { CreatedScimTokenResponse, ScimTokenResponse } from './scim-connection.responses.js';
import { ScimTokensService } from './scim-tokens.service.js';

const CONNECTION_ID = { name: 'connection', description: 'Id of the connection.', example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek' };
const TOKEN_ID = { name: 'id', description: 'Id of the token.', example: 'scimt_01kf2bav4hf7r8v2m5n9q1c3ek' };
const FORBIDDEN =
  'The caller lacks permissions that the connection has (`forbidden`): it needs all permissions in the organization.';

@ApiTags('SCIM connections')
@AllowedInSetup('scim')
@Controller('v1/organizations/:org/scim-connections/:connection/tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokensService) {}

  @Get()
  @Requires('scim:read')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'listScimTokens',
    summary: 'List the tokens of a SCIM connection',
    description: 'Returns the tokens without their secret values. Revoked tokens are not returned.',
  })
  @ApiList(ScimTokenResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization or connection does not exist.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('connection') connection: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ScimTokenResponse>> {
    return listResponse(await this.tokens.list(ctx, connection, PageQuery.read(query)), ScimTokenResponse.from);
  }

  @Post()
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiOperation({
    operationId: 'createScimToken',
    summary: 'Create a token of a SCIM connection',
    description: `Only this response contains the token. ${RECENT_SIGN_IN} Publishes \`scim_token.created\`.`,
  })
  @ApiData(CreatedScimTokenResponse, { status: 201, description: 'The token was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization or connection does not exist.',
    409: '`scim_token_limit`, `organization_suspended`.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Param('connection') connection: string,
    @Body() body: CreateScimTokenRequest,
  ): Promise<DataResponse<CreatedScimTokenResponse>> {
    const { token, secret } = await this.tokens.create(ctx, connection, body);
    return { data: CreatedScimTokenResponse.of(token, secret) };
  }

  @Post(':id/rotate')
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiIdParam(TOKEN_ID)
  @ApiOperation({
    operationId: 'rotateScimToken',
    summary: 'Rotate a token of a SCIM connection',
    description:
      'Creates a new token with the same name, networks and expiry as the previous token, which stops working immediately or after `expiresInSeconds`. ' +
      RECENT_SIGN_IN +
      ' Publishes `scim_token.created` and `scim_token.revoked`.',
  })
  @ApiData(CreatedScimTokenResponse, { status: 201, description: 'The token was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization, connection or token does not exist.',
    409: '`scim_token_already_rotated`, `scim_token_limit`, `organization_suspended`.',
  })
  async rotate(
    @Ctx() ctx: RequestContext,
    @Param('connection') connection: string,
    @Param('id') id: string,
    @Body() body: RotateScimTokenRequest,
  ): Promise<DataResponse<CreatedScimTokenResponse>> {
    const { token, secret } = await this.tokens.rotate(ctx, connection, id, body.expiresInSeconds ?? 0);
    return { data: CreatedScimTokenResponse.of(token, secret) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('scim:write')
  @ApiIdParam(CONNECTION_ID)
  @ApiIdParam(TOKEN_ID)
  @ApiOperation({
    operationId: 'revokeScimToken',
    summary: 'Revoke a token of a SCIM connection',
    description: 'The token stops working at once. Publishes `scim_token.revoked`.',
  })
  @ApiNoContentResponse({ description: 'The token was revoked.' })
  @ApiProblems({
    403: FORBIDDEN,
    404: 'The organization, connection or token does not exist.',
    409: '`organization_suspended`.',
  })
  async revoke(@Ctx() ctx: RequestContext, @Param('connection') connection: string, @Param('id') id: string): Promise<void> {
    await this.tokens.revoke(ctx, connection, id);
  }
}
