import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserActivationService, type UserWithOrganization } from '#directory/users';

@Injectable()
export class OwnAccountService {
  constructor(
    private readonly userActivation: UserActivationService,
    private readonly work: UnitOfWork,
  ) {}

  async get(ctx: RequestContext): Promise<UserWithOrganization> {
    const key = ownUserOf(ctx);
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    return owner;
  }

  /** Runs `change` in a transaction that locks the active user. @throws ResourceNotFound (404) if the user was suspended in the meantime */
  async change<T>(ctx: RequestContext, change: (ctx: RequestContext, owner: UserWithOrganization) => Promise<T>): Promise<T> {
    const key = ownUserOf(ctx);
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (owner?.user.status !== 'active') throw new ResourceNotFound('user', key.id);
      return change(ctx, owner);
    });
  }
}
