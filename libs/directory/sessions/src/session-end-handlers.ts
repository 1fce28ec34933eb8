import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from './user-key.js';

/** Runs in the transaction that ends sessions of a user, whoever ends them and why. */
export type SessionEndHandler = (
  ctx: RequestContext,
  user: UserKey,
  sessionIds: readonly string[],
  reason: string,
) => Promise<void>;

/** The port through which higher libraries register their handlers of the end of sessions. Expired sessions end without a change. */
@Injectable()
export class SessionEndHandlers {
  private readonly handlers: SessionEndHandler[] = [];

  register(handler: SessionEndHandler): void {
    this.handlers.push(handler);
  }

  async run(ctx: RequestContext, user: UserKey, sessionIds: readonly string[], reason: string): Promise<void> {
    if (sessionIds.length === 0) return;
    for (const handler of this.handlers) await handler(ctx, user, sessionIds, reason);
  }
}
