import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiIdParam, ApiIfMatch, ApiProblems, Ctx, Requires } from '#platform/http';
import { MfaResetService } from './mfa-reset.service.js';

@ApiTags('Users')
@Controller('v1/organizations/:org/users/:id/mfa')
export class UserMfaController {
  constructor(private readonly mfaReset: MfaResetService) {}

  @Delete()
  @HttpCode(204)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'removeUserMfa',
    summary: "Remove a user's MFA factors",
    description:
      'Removes all MFA factors and recovery codes of a user. Use this operation, for example, if a user has lost all factors. Ends all sessions of the user, invalidates the unused links that the service emailed to the user and notifies the user by email. If the organization requires MFA, the user must add a factor at the next sign-in. If the user has no factors, this operation only invalidates the unused emailed links. The caller must have every permission that the user has. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.mfa_disabled` for each factor.',
  })
  @ApiIdParam({ name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The user no longer has MFA factors.' })
  @ApiProblems({
    403: 'The caller does not have access to the organization that manages the user (`managed_elsewhere`). Or the caller lacks the required permission, the user has permissions that the caller does not have, or the caller is the user (`forbidden`).',
  })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.mfaReset.reset(ctx, id);
  }
}
