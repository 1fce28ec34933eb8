import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from './user-key.js';

/** Voids what a user has begun and not finished, such as a sign-in that waits for a second factor. */
type VoidPendingVerifications = (ctx: RequestContext, user: UserKey) => Promise<void>;

/** How libs above sessions take part in the recovery of an account: they register here what else it voids. */
@Injectable()
export class PendingVerifications {
  private readonly registered: VoidPendingVerifications[] = [];

  register(voidPendingProofs: VoidPendingVerifications): void {
    this.registered.push(voidPendingProofs);
  }

  async voidAll(ctx: RequestContext, user: UserKey): Promise<void> {
    for (const voidPendingProofs of this.registered) await voidPendingProofs(ctx, user);
  }
}
