import { Injectable } from '@nestjs/common';
import { OperatorSessionsService } from '#identity/auth';
import type { RequestContext } from '#platform/common';
import { OwnSessionsService } from './own-sessions.service.js';

/** Ends the current session of a user or an operator. */
@Injectable()
export class SignOutService {
  constructor(
    private readonly ownSessions: OwnSessionsService,
    private readonly operatorSessions: OperatorSessionsService,
  ) {}

  /** Does nothing if the session has already ended. */
  async signOut(ctx: RequestContext): Promise<void> {
    if (ctx.operatorSession) await this.operatorSessions.end(ctx, ctx.operatorSession);
    else await this.ownSessions.signOut(ctx);
  }
}
