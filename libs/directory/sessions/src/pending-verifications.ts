import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from './user-key.js';

/** Voids the unfinished verifications of a user, such as a sign-in before the second factor. */
type VoidPendingVerifications = (ctx: RequestContext, user: UserKey) => Promise<void>;

/** The port through which higher libraries register callbacks that void pending verifications. */
@Injectable()
export class PendingVerifications {
  private readonly registered: VoidPendingVerifications[] = [];

  register(voidPending: VoidPendingVerifications): void {
    this.registered.push(voidPending);
  }

  async voidAll(ctx: RequestContext, user: UserKey): Promise<void> {
    for (const voidPending of this.registered) await voidPending(ctx, user);
  }
}
