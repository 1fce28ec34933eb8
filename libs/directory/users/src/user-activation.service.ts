import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { pipeline } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserStatusService } from './user-status.service.js';

export interface UserWithOrganization {
  readonly user: User;
  readonly managingOrganization: OrganizationScope;
}

/** Names from the acceptance of an invitation. Absent names stay unchanged. */
export interface AcceptedNames {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** Activates users who have proved the ownership of the account with a token or a password. */
@Injectable()
export class UserActivationService {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopeQuery,
    private readonly status: UserStatusService,
    private readonly work: UnitOfWork,
  ) {}

  /** Returns a user and the managing organization, or null if the user or the organization does not exist. */
  async find(ctx: RequestContext, key: UserKey): Promise<UserWithOrganization | null> {
    return this.withOrganization(ctx, await this.users.findById(ctx, key));
  }

  /** Locks a user until the transaction ends and returns the result of `find`. */
  async lock(ctx: RequestContext, key: UserKey): Promise<UserWithOrganization | null> {
    return this.withOrganization(ctx, await this.users.lockById(ctx, key));
  }

  /** Does the same as `lock` in one round trip, if the managing organization has not changed since the user was read. */
  async lockAgain(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
  ): Promise<UserWithOrganization | null> {
    const [locked, present] = await pipeline(ctx, [
      () => this.users.lockById(ctx, user),
      () => this.scopes.findById(ctx, managingOrganization),
    ]);
    if (locked && present?.id === locked.organizationId) return { user: locked, managingOrganization: present };
    return this.withOrganization(ctx, locked);
  }

  /**
   * Activates a pending user whom the caller has locked. Marks the email address as verified and confirmed, because the user received the
   * token at this address, or a trusted identity provider or directory vouches for the user.
   */
  async activate(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    names: AcceptedNames = {},
  ): Promise<void> {
    const fields = {
      emailVerified: true,
      emailConfirmed: true,
      firstName: names.firstName ?? user.firstName,
      lastName: names.lastName ?? user.lastName,
    };
    const loss = unneeded<'loss'>('user_activated');
    const { previousStatus, changedAt } = await this.status.change(ctx, user, 'active', fields, loss);
    const data = { ...userData(user), previousStatus, activatedAt: changedAt.toISOString() };
    await this.work.publish(ctx, 'user.activated', managingOrganization, data, { userId: user.id });
  }

  /** Records a password change of a user whom the caller has locked. */
  async recordPasswordChange(ctx: RequestContext, user: User, at: Date): Promise<void> {
    user.lastPasswordChangeAt = at;
    user.updatedAt = at;
    await this.users.saveProfile(ctx, user);
  }

  private async withOrganization(ctx: RequestContext, user: User | null): Promise<UserWithOrganization | null> {
    const managingOrganization = user && (await this.scopes.findScope(ctx, user.organizationId));
    return user && managingOrganization ? { user, managingOrganization } : null;
  }
}
