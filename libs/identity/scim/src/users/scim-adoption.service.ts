import { Injectable } from '@nestjs/common';
import { domainOfEmail, type RequestContext } from '#platform/common';
import { DomainVerification } from '#directory/organizations';
import { FederatedUsersService, type User, UserAdoptionService } from '#directory/users';
import { PasswordsService } from '#identity/credentials';
import type { Connection } from '../access/scim-connection.js';

/** Takes over existing users with the services of the API, in the transaction of the caller. */
@Injectable()
export class ScimAdoptionService {
  constructor(
    private readonly adoption: UserAdoptionService,
    private readonly domains: DomainVerification,
    private readonly passwords: PasswordsService,
    private readonly federatedUsers: FederatedUsersService,
  ) {}

  /** Returns whether the organization or an ancestor has verified the domain of an address. */
  async isVerified(ctx: RequestContext, { organization }: Connection, email: string): Promise<boolean> {
    const domain = domainOfEmail(email);
    return domain !== undefined && (await this.domains.listUnverified(ctx, organization, [domain])).length === 0;
  }

  /**
   * Makes the connection the manager of the user with an address at a verified domain. Returns null if there is no such user.
   * @throws EmailTaken (409), HigherPrivileges (403)
   */
  async adopt(ctx: RequestContext, connection: Connection, email: string): Promise<User | null> {
    const user = await this.adoption.adopt(ctx, email, connection.id);
    if (user) await this.removeUnverifiedCredentials(ctx, connection, user);
    return user;
  }

  /**
   * Activates a pending user, for whom the directory vouches. Removes the password and identities first, because another person may have
   * signed up with the address. This also applies to a user who was suspended while pending.
   */
  private async removeUnverifiedCredentials(ctx: RequestContext, { organization }: Connection, user: User): Promise<void> {
    if (user.emailVerified || user.status === 'active') return;
    const owner = { user, managingOrganization: organization };
    await this.passwords.delete(ctx, user);
    await this.federatedUsers.unlinkAll(ctx, owner);
    if (user.status === 'pending') await this.federatedUsers.activate(ctx, owner);
  }
}
