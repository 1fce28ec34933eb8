import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { UserDirectoryService } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import type { UserAtHome } from './user-activation.service.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Nobody belongs there: asked for where there is no organization, so that the time tells nothing. */
const NOWHERE: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'> = { id: '', tenantId: '', ancestorIds: [] };

/** Users as sign-in meets them. */
@Injectable()
export class SignInUsersService {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopeQuery,
    private readonly directory: UserDirectoryService,
  ) {}

  /**
   * Who may sign in at an organization under an e-mail address: a user of its tree who belongs to it or to one above it, whatever the
   * status but deleted. Guests of other trees sign in at home. Null for nobody, and where there is no organization.
   */
  async find(ctx: RequestContext, organization: OrganizationScope | null, email: string): Promise<UserAtHome | null> {
    const { id, tenantId, ancestorIds } = organization ?? NOWHERE;
    const user = await this.users.findByEmail(ctx, tenantId, [...ancestorIds, id], emailKey(email));
    const home = await this.scopes.findScope(ctx, user?.organizationId ?? id);
    return user && home ? { user, home } : null;
  }

  /** Notes on a user, locked by the caller, that it signed in; nobody is told that it changed. */
  async recordSignIn(ctx: RequestContext, user: User, at: Date): Promise<void> {
    user.lastLoginAt = at;
    await this.users.recordSignIn(ctx, user, at);
    await this.directory.recordSignIn(ctx, user.id, at);
  }
}
