import { Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import { PasswordResetResponse } from './password-reset.requests.js';
import { PasswordResetRequestService } from './password-reset-request.service.js';

@ApiTags('Users')
@Controller('v1/organizations/:org/users')
export class UserPasswordResetController {
  constructor(private readonly passwordResetRequest: PasswordResetRequestService) {}

  @Post(':id/password-reset')
  @HttpCode(200)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'startPasswordReset',
    summary: 'Start a password reset',
    description:
      'Sends the user an email with a link to set a new password. The link works once and expires after 1 hour. The current password works until the link is used. The caller must have every permission that the user has. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.password_reset_requested`.',
  })
  @ApiIdParam({ name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiData(PasswordResetResponse, { description: 'An email is sent.' })
  @ApiProblems({
    403: 'The caller does not have access to the organization that manages the user (`managed_elsewhere`). Or the caller lacks the required permission, the user has permissions that the caller does not have, or the caller is the user (`forbidden`). Or the user can sign in only with an identity provider (`sso_required`).',
    409: 'The user is not active (`user_not_active`).',
  })
  async start(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<PasswordResetResponse>> {
    const { user, expiresAt } = await this.passwordResetRequest.requestForUser(ctx, id);
    return { data: { userId: user.id, email: user.email, expiresAt: expiresAt.toISOString() } };
  }
}
