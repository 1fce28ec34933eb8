import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OwnAccount } from '#http';
import { MeResponse } from './me.responses.js';
import { Me } from './me.service.js';
import { OwnPermissionsQuery, OwnPermissionsResponse } from './own-permissions.requests.js';
import { OwnPermissions } from './own-permissions.service.js';

@ApiTags('Account')
@Controller('v1/auth/me')
export class MeController {
  constructor(
    private readonly me: Me,
    private readonly permissions: OwnPermissions,
  ) {}

  @Get()
  @OwnAccount({ whileEnrolling: true })
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the signed-in user',
    description: 'With the organizations that the user belongs to, what the user may do there, and the session that asks.',
  })
  @ApiData(MeResponse)
  async get(@Ctx() ctx: RequestContext): Promise<DataAnswer<MeResponse>> {
    return { data: await this.me.get(ctx) };
  }

  @Get('permissions')
  @OwnAccount()
  @ApiOperation({
    operationId: 'getMyPermissions',
    summary: 'Get what you may do in an organization',
    description:
      'In any organization that your roles reach, also below those that you belong to: for pages that hide what you may not do.',
  })
  @ApiData(OwnPermissionsResponse)
  @ApiProblems({
    400: 'The parameter is missing or malformed.',
    403: 'The organization requires a second factor that this session lacks.',
    404: 'There is no such organization, or you have no role there nor above.',
  })
  async permissionsAt(
    @Ctx() ctx: RequestContext,
    @Query() { organization }: OwnPermissionsQuery,
  ): Promise<DataAnswer<OwnPermissionsResponse>> {
    return { data: await this.permissions.at(ctx, organization) };
  }
}
