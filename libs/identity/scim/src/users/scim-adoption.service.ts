import { Injectable } from '@nestjs/common';
import { domainOfEmail, type RequestContext } from '#platform/common';
import { DomainVerification } from '#directory/organizations';
import { FederatedUsersService, UnconfirmedAccessService, type User, UserAdoptionService } from '#directory/users';
import type { Connection } from '../access/scim-connection.js';

/** Takes over existing users with the services of the API, in the transaction of the caller. */
@Injectable()
export class ScimAdoptionService {
  constructor(
    private readonly adoption: UserAdoptionService,
    private readonly domains: DomainVerification,
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly federatedUsers: FederatedUsersService,
  ) {}

  /** Returns whether the organization or an ancestor has verified the domain of an address. */
  async isVerified(ctx: RequestContext, { organization }: Connection, email: string): Promise<boolean> {
    const domain = domainOfEmail(email);
    return domain !== undefined && (await this.domains.listUnverified(ctx, organization, [domain])).length === 0;
  }

  /**
   * Makes the connection the manager of the user with an address at a verified domain. Returns null if there is no such user.
   * Removes the access of a user whose address is not confirmed, and activates a pending user, for whom the directory vouches.
   * `wasPending`: the account was pending, so nobody could sign in to it.
   * @throws EmailTaken (409), HigherPrivileges (403)
   */
  async adopt(
    ctx: RequestContext,
    connection: Connection,
    email: string,
  ): Promise<{ readonly user: User; readonly wasPending: boolean } | null> {
    const user = await this.adoption.adopt(ctx, email, connection.id);
    if (!user) return null;
    const wasPending = user.status === 'pending';
    await this.takeOver(ctx, connection, user);
    return { user, wasPending };
  }

  /**
   * Removes the access to an account whose address its owner never confirmed, because another person can have set it: with a sign-up, an
   * import, or before an administrator changed the address. Activates a pending user, for whom the directory vouches.
   */
  private async takeOver(ctx: RequestContext, { organization }: Connection, user: User): Promise<void> {
    const owner = { user, managingOrganization: organization };
    await this.unconfirmedAccess.strip(ctx, owner, 'account_adopted');
    if (user.status === 'pending') await this.federatedUsers.activate(ctx, owner);
  }
}
