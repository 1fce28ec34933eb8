import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import type { UserWithOrganization } from './user-activation.service.js';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Writes the MFA fields of users. The MFA library stores the factors. */
@Injectable()
export class UserFactorsService {
  constructor(
    private readonly users: UserRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** Records the MFA methods of a user whom the caller has locked. The caller publishes the event. */
  async record(ctx: RequestContext, user: User, methods: readonly string[]): Promise<void> {
    user.mfaMethods = [...methods].sort();
    user.mfaEnabled = methods.length > 0;
    user.updatedAt = this.work.now();
    await this.users.saveProfile(ctx, user);
  }

  /** Sets the verified phone number of a user whom the caller has locked. */
  async verifyPhone(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    phoneNumber: string,
  ): Promise<void> {
    const before = userData(user);
    user.phoneNumber = phoneNumber;
    user.phoneVerified = true;
    const changes = changesBetween(before, userData(user));
    if (Object.keys(changes).length === 0) return;
    user.updatedAt = this.work.now();
    await this.users.save(ctx, user, unneeded<'sign_in'>('own_account'));
    await this.work.publish(ctx, 'user.updated', managingOrganization, { ...userData(user), changes }, { userId: user.id });
  }
}
