import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import type { LossAuthorization } from '#directory/privileges';
import type { DirectoryUser } from './directory-user.js';

/** Deletes what a higher library stores about a member. Runs in the transaction of the removal, before the membership is deleted. */
export type MemberRemovalHandler = (
  ctx: RequestContext,
  organization: OrganizationScope,
  user: DirectoryUser,
  loss: LossAuthorization,
) => Promise<void>;

/** The port through which higher libraries register their handlers of the removal of members. */
@Injectable()
export class MemberRemovalHandlers {
  private readonly handlers: MemberRemovalHandler[] = [];

  register(handler: MemberRemovalHandler): void {
    this.handlers.push(handler);
  }

  async run(ctx: RequestContext, organization: OrganizationScope, user: DirectoryUser, loss: LossAuthorization): Promise<void> {
    for (const handler of this.handlers) await handler(ctx, organization, user, loss);
  }
}
