import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { UserAtHome } from './user-activation.service.js';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** What a user shows of its second factors; the factors themselves are kept elsewhere. */
@Injectable()
export class UserFactorsService {
  constructor(
    private readonly users: UserRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** Notes on a user, locked by the caller, which methods it has; whoever changed them tells of it. */
  async record(ctx: RequestContext, user: User, methods: readonly string[]): Promise<void> {
    user.mfaMethods = [...methods].sort();
    user.mfaEnabled = methods.length > 0;
    user.updatedAt = this.work.now();
    await this.users.save(ctx, user);
  }

  /** Gives a user, locked by the caller, the telephone number that it has proven to own. */
  async verifyPhone(ctx: RequestContext, { user, home }: UserAtHome, phoneNumber: string): Promise<void> {
    const before = userData(user);
    user.phoneNumber = phoneNumber;
    user.phoneVerified = true;
    const changes = changesBetween(before, userData(user));
    if (Object.keys(changes).length === 0) return;
    user.updatedAt = this.work.now();
    await this.users.save(ctx, user);
    await this.work.publish(ctx, 'user.updated', home, { ...userData(user), changes }, { userId: user.id });
  }
}
