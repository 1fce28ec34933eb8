import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { UserDirectoryService } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import type { UserWithOrganization } from './user-activation.service.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Replaces a nonexistent organization, so that the lookup of the user runs and the response time reveals nothing. */
const NONEXISTENT_ORGANIZATION: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'> = {
  id: '',
  tenantId: '',
  ancestorIds: [],
};

/** Finds users for sign-in, and records sign-ins. */
@Injectable()
export class SignInUsersService {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopeQuery,
    private readonly directory: UserDirectoryService,
  ) {}

  /**
   * Returns the user with this email address in the directory of the organization or an ancestor, unless deleted. Guests sign in to an
   * organization of their own tenant, so the lookup excludes guests.
   */
  async find(ctx: RequestContext, organization: OrganizationScope | null, email: string): Promise<UserWithOrganization | null> {
    const { id, tenantId, ancestorIds } = organization ?? NONEXISTENT_ORGANIZATION;
    const user = await this.users.findByEmail(ctx, tenantId, [...ancestorIds, id], emailKey(email));
    const managingOrganization = await this.scopes.findScope(ctx, user?.organizationId ?? id);
    return user && managingOrganization ? { user, managingOrganization } : null;
  }

  /** Returns the statements that record a sign-in of a user whom the caller has locked, for `pipeline`. Publishes no event. */
  signInRecords(ctx: RequestContext, user: User, at: Date): [() => Promise<void>, () => Promise<void>] {
    user.lastLoginAt = at;
    return [() => this.users.recordSignIn(ctx, user, at), () => this.directory.recordSignIn(ctx, user, at)];
  }
}
