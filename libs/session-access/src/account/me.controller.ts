import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, Ctx, type DataAnswer, OwnAccount } from '#http';
import { MeResponse } from './me.responses.js';
import { Me } from './me.service.js';

@ApiTags('Account')
@Controller('v1/auth/me')
export class MeController {
  constructor(private readonly me: Me) {}

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
}
