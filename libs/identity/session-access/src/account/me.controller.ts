import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OwnAccount } from '#platform/http';
import { ApiLogo, LOGO_RULES, LogosService, sendLogo } from '#directory/organizations';
import type { Response } from 'express';
import { MeResponse } from './me.responses.js';
import { MeService } from './me.service.js';
import { OwnPermissionsQuery, OwnPermissionsResponse } from './own-permissions.requests.js';

@ApiTags('Account')
@Controller('v1/auth/me')
export class MeController {
  constructor(
    private readonly me: MeService,
    private readonly logos: LogosService,
  ) {}

  @Get()
  @OwnAccount({ whileEnrolling: true })
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the signed-in user',
    description:
      'Returns the signed-in user, including the memberships of the user, the permissions in each organization, and the current session. The field `roles` contains the roles in the organization that manages the user.',
  })
  @ApiData(MeResponse)
  async get(@Ctx() ctx: RequestContext): Promise<DataResponse<MeResponse>> {
    return { data: await this.me.get(ctx) };
  }

  @Get('picture')
  @OwnAccount()
  @ApiOperation({
    operationId: 'getMyPicture',
    summary: 'Get your picture',
    description: `Returns the image at the URL in \`picture\` of the signed-in user. ${LOGO_RULES}`,
  })
  @ApiLogo()
  @ApiProblems({ 404: 'You have no picture, or the picture cannot be downloaded (`logo_not_found`).' })
  async picture(@Ctx() ctx: RequestContext, @Res() response: Response): Promise<void> {
    sendLogo(response, await this.logos.load(await this.me.findPicture(ctx)), 'private');
  }

  @Get('permissions')
  @OwnAccount()
  @ApiOperation({
    operationId: 'getMyPermissions',
    summary: 'Get your permissions in an organization',
    description:
      'Returns the permissions of the signed-in user in an organization. The organization can also be a descendant of an organization in which the user has roles. Use the permissions to hide actions that the user is not allowed to perform.',
  })
  @ApiData(OwnPermissionsResponse)
  @ApiProblems({
    400: 'The parameter `organization` is missing or invalid.',
    403: 'The organization requires MFA, and the user signed in without a factor that the organization allows (`mfa_required`), or the organization does not allow the network of the user (`network_not_allowed`).',
    404: 'The organization does not exist, or the user has no role in it or its ancestors (`organization_not_found`).',
  })
  async permissionsAt(
    @Ctx() ctx: RequestContext,
    @Query() { organization }: OwnPermissionsQuery,
  ): Promise<DataResponse<OwnPermissionsResponse>> {
    return { data: await this.me.getPermissions(ctx, organization) };
  }
}
