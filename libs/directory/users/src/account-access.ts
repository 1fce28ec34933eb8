import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserWithOrganization } from './user-activation.service.js';

/** Removes what gives access to the account of a locked user, in the caller's transaction, and publishes the events. `reason` is in the events. */
type RemoveAccess = (ctx: RequestContext, owner: UserWithOrganization, reason: string) => Promise<void>;

/** The port through which higher libraries register callbacks that remove passwords, factors and API keys. */
@Injectable()
export class AccountAccess {
  private readonly registered: RemoveAccess[] = [];

  register(remove: RemoveAccess): void {
    this.registered.push(remove);
  }

  async removeAll(ctx: RequestContext, owner: UserWithOrganization, reason: string): Promise<void> {
    for (const remove of this.registered) await remove(ctx, owner, reason);
  }
}
