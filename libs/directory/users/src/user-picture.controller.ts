import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiIdParam, ApiProblems, Ctx, Requires } from '#platform/http';
import { ApiLogo, LOGO_RULES, LogosService, sendLogo } from '#directory/organizations';
import type { Response } from 'express';
import { UserQueriesService } from './user-queries.service.js';

@ApiTags('Users')
@Controller('v1/organizations/:org/users/:id/picture')
export class UserPictureController {
  constructor(
    private readonly users: UserQueriesService,
    private readonly logos: LogosService,
  ) {}

  @Get()
  @Requires('users:read')
  @ApiOperation({
    operationId: 'getUserPicture',
    summary: 'Get the picture of a user',
    description: `Returns the image at the URL in \`picture\` of the user. ${LOGO_RULES}`,
  })
  @ApiIdParam({ name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiLogo()
  @ApiProblems({ 404: 'The user does not exist or has no picture, or the picture cannot be downloaded (`logo_not_found`).' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string, @Res() response: Response): Promise<void> {
    const { user } = await this.users.get(ctx, id);
    sendLogo(response, await this.logos.load(user.picture ?? null), 'private');
  }
}
