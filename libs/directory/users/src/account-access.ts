import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserWithOrganization } from './user-activation.service.js';

/** The authorization of a removal, and the reason that the events contain. */
export interface AccessRemoval {
  readonly reason: string;
  readonly signIn: SignInAuthorization;
}

/** Removes what gives access to the account of a locked user, in the caller's transaction, and publishes the events. */
type RemoveAccess = (ctx: RequestContext, owner: UserWithOrganization, removal: AccessRemoval) => Promise<void>;

/** The port through which higher libraries register callbacks that remove passwords, factors, API keys and setup links. */
@Injectable()
export class AccountAccess {
  private readonly registered: RemoveAccess[] = [];

  register(remove: RemoveAccess): void {
    this.registered.push(remove);
  }

  async removeAll(ctx: RequestContext, owner: UserWithOrganization, removal: AccessRemoval): Promise<void> {
    for (const remove of this.registered) await remove(ctx, owner, removal);
  }
}
