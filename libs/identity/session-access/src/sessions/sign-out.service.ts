import { Injectable } from '@nestjs/common';
import { OperatorSessionsService } from '#identity/auth';
import type { RequestContext } from '#platform/common';
import { OwnSessionsService } from './own-sessions.service.js';

/** Ends the session that asks, whoever's it is. */
@Injectable()
export class SignOutService {
  constructor(
    private readonly own: OwnSessionsService,
    private readonly operators: OperatorSessionsService,
  ) {}

  /** One that another request ended meanwhile is over already. */
  async run(ctx: RequestContext): Promise<void> {
    if (ctx.operatorSession) await this.operators.end(ctx, ctx.operatorSession);
    else await this.own.signOut(ctx);
  }
}
