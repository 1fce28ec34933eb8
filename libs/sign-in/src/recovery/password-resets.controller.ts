import { Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, Requires } from '#http';
import { PasswordResetResponse } from './recovery.requests.js';
import { PasswordResets } from './password-resets.service.js';

/** Administrators have users choose a new password. */
@ApiTags('Users')
@Controller('v1/organizations/:org/users')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResets) {}

  @Post(':id/password-reset')
  @HttpCode(200)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'startPasswordReset',
    summary: 'Have a user choose a new password',
    description: 'Sends a mail with a link that works once, for an hour. The present password works on until it is used.',
  })
  @ApiParam({ name: 'id', description: 'The user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiData(PasswordResetResponse, { description: 'The mail is on its way.' })
  @ApiProblems({
    403: 'The permission is missing, the user may do what the caller may not, or is managed by an organization out of reach.',
    409: 'The user is not active.',
  })
  async start(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<PasswordResetResponse>> {
    const { user, expiresAt } = await this.resets.start(ctx, id);
    return { data: { userId: user.id, email: user.email, expiresAt: expiresAt.toISOString() } };
  }
}
