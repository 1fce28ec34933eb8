import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiIdParam, ApiProblems, authorizeAgainOf, Ctx, Requires, sendDownload, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { UserDataExportService } from './user-data-export.service.js';
import { ApiUserData, CONTENTS } from './user-data-response.js';

const USER = { name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };

@ApiTags('Users')
@Controller('v1/organizations/:org/users/:id/export')
export class UserDataController {
  constructor(private readonly exports: UserDataExportService) {}

  @Get()
  @Requires('users:read')
  @ApiOperation({
    operationId: 'exportUserData',
    summary: 'Export all data of a user',
    description:
      'Exports all data that is stored about a user as one JSON file, for example for a request of the user under data protection law. ' +
      CONTENTS +
      'Memberships, roles, messages, API keys, webhooks, break-glass requests and events are limited to the organizations in which the caller has all required permissions.\n\n' +
      'The caller also needs the permissions `members:read`, `roles:read`, `sessions:read`, `events:read`, `api_keys:read` and `webhooks:read`, access to the organization that manages the user, and every permission that the user has. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.data_exported`.',
  })
  @ApiIdParam(USER)
  @ApiUserData()
  @ApiProblems({
    403: 'The caller lacks one of the required permissions or a permission that the user has (`forbidden`), or does not have access to the organization that manages the user (`managed_elsewhere`).',
  })
  async export(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const pieces = this.exports.exportUser(ctx, id, authorizeAgainOf(request));
    await sendDownload(response, { format: 'json', filename: `user-${id}.json` }, pieces);
  }
}
