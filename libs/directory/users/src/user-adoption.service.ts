import { Injectable } from '@nestjs/common';
import { emailKey, organizationOf, type RequestContext } from '#platform/common';
import { PrivilegesService } from '#directory/privileges';
import { UserChangesService } from './user-changes.service.js';
import { EmailTaken } from './user-errors.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Lets SCIM connections take over existing users. */
@Injectable()
export class UserAdoptionService {
  constructor(
    private readonly users: UserRepository,
    private readonly privileges: PrivilegesService,
    private readonly changes: UserChangesService,
  ) {}

  /**
   * Makes a connection the manager of the user with an email address. Returns null if there is no such user. The caller checks that the
   * connection can adopt users with addresses of this domain.
   * @throws EmailTaken (409) when another organization or connection manages the user
   * @throws HigherPrivileges (403) when the user has permissions outside the organization of the connection
   */
  async adopt(ctx: RequestContext, email: string, connectionId: string): Promise<User | null> {
    const organization = organizationOf(ctx);
    const user = await this.users.lockByEmailInTenant(ctx, organization.tenantId, emailKey(email));
    if (!user) return null;
    if (user.organizationId !== organization.id || user.managedBy !== null) throw new EmailTaken(email);
    const signIn = await this.privileges.authorizeSignInChange(ctx, user);
    const adopt = (): void => void (user.managedBy = connectionId);
    await this.changes.apply(ctx, { user, managingOrganization: organization }, adopt, signIn);
    return user;
  }
}
