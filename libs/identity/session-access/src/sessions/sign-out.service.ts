import { Injectable } from '@nestjs/common';
import { OperatorSessions } from '#identity/auth';
import type { RequestContext } from '#platform/common';
import { OwnSessions } from './own-sessions.service.js';

/** Ends the session that asks, whoever's it is. */
@Injectable()
export class SignOut {
  constructor(
    private readonly own: OwnSessions,
    private readonly operators: OperatorSessions,
  ) {}

  /** One that another request ended meanwhile is over already. */
  async run(ctx: RequestContext): Promise<void> {
    if (ctx.operatorSession) await this.operators.end(ctx, ctx.operatorSession);
    else await this.own.signOut(ctx);
  }
}
