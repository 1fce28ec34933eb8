import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiIfMatch, ApiProblems, Ctx, Requires } from '#http';
import { FactorRemoval } from '../factors/factor-removal.service.js';

/** What administrators do about users' second factors. */
@ApiTags('Users')
@Controller('v1/organizations/:org/users/:id/mfa')
export class UserMfaController {
  constructor(private readonly removal: FactorRemoval) {}

  @Delete()
  @HttpCode(204)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'removeUserMfa',
    summary: "Remove a user's second factors",
    description:
      'For users who lost them. All sessions of the user end, and the user is told by mail. Where a second factor is required, the next sign-in asks to add one. A user without factors stays as it is.',
  })
  @ApiParam({ name: 'id', description: 'The user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The user has no second factor any more.' })
  @ApiProblems({ 403: 'The user is managed by another organization, or may do more than the caller.' })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.removal.removeAll(ctx, id);
  }
}
