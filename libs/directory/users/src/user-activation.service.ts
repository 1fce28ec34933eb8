import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** A user with the organization that manages it. */
export interface UserAtHome {
  readonly user: User;
  readonly home: OrganizationScope;
}

/** Names that a person gives when accepting an invitation; those left out stay as they are. */
export interface AcceptedNames {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** What a person does with their own account, proven by a token or a password and not by a key of the organization. */
@Injectable()
export class UserActivationService {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopeQuery,
    private readonly directory: UserDirectoryService,
    private readonly work: UnitOfWork,
  ) {}

  /** The user and its organization; null when either is gone. */
  async find(ctx: RequestContext, key: UserKey): Promise<UserAtHome | null> {
    return this.atHome(ctx, await this.users.findById(ctx, key));
  }

  /** The same, the user held until the transaction ends. */
  async lock(ctx: RequestContext, key: UserKey): Promise<UserAtHome | null> {
    return this.atHome(ctx, await this.users.lockById(ctx, key));
  }

  /** Makes a pending user, locked by the caller, active, with the e-mail address verified, since the proof was sent there. */
  async activate(ctx: RequestContext, { user, home }: UserAtHome, names: AcceptedNames = {}): Promise<void> {
    const previousStatus = user.status;
    const activatedAt = this.work.now();
    user.status = 'active';
    user.emailVerified = true;
    user.firstName = names.firstName ?? user.firstName;
    user.lastName = names.lastName ?? user.lastName;
    user.updatedAt = activatedAt;
    await this.users.save(ctx, user);
    await this.directory.update(ctx, user, previousStatus);
    const data = { ...userData(user), previousStatus, activatedAt: activatedAt.toISOString() };
    await this.work.publish(ctx, 'user.activated', home, data, { userId: user.id });
  }

  /** Notes on a user, locked by the caller, when the password was set. */
  async recordPasswordChange(ctx: RequestContext, user: User, at: Date): Promise<void> {
    user.lastPasswordChangeAt = at;
    user.updatedAt = at;
    await this.users.save(ctx, user);
  }

  private async atHome(ctx: RequestContext, user: User | null): Promise<UserAtHome | null> {
    const home = user && (await this.scopes.findScope(ctx, user.organizationId));
    return user && home ? { user, home } : null;
  }
}
