import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ownUserOf, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { authorizeAgainOf, Ctx, OwnAccount, sendDownload, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { UserDataExportService } from './user-data-export.service.js';
import { ApiUserData, CONTENTS } from './user-data-response.js';

@ApiTags('Account')
@Controller('v1/auth/me/export')
export class OwnDataController {
  constructor(private readonly exports: UserDataExportService) {}

  @Get()
  @OwnAccount()
  @ApiOperation({
    operationId: 'exportMyData',
    summary: 'Export all your data',
    description:
      'Exports all data that is stored about the signed-in user as one JSON file. ' +
      CONTENTS +
      RECENT_SIGN_IN +
      ' Publishes `user.data_exported`.',
  })
  @ApiUserData()
  async export(@Ctx() ctx: RequestContext, @Req() request: ServiceRequest, @Res() response: Response): Promise<void> {
    const filename = `user-${ownUserOf(ctx).id}.json`;
    await sendDownload(response, { format: 'json', filename }, this.exports.exportOwn(ctx, authorizeAgainOf(request)));
  }
}
