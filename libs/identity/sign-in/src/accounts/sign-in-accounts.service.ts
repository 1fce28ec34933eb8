import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { addressGroup } from '#platform/http';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SignInUsersService, type UserWithOrganization } from '#directory/users';
import { type SignInAccount, SignInAccountQuery } from './sign-in-account.query.js';

@Injectable()
export class SignInAccountsService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInUsers: SignInUsersService,
    private readonly signInAccounts: SignInAccountQuery,
  ) {}

  findOrganization(ctx: RequestContext, handle: string): Promise<OrganizationScope | null> {
    return this.organizationScopes.findScope(ctx, handle);
  }

  /** Finds what a sign-in with a password needs of the user. See `SignInAccountQuery`. */
  findWithPassword(ctx: RequestContext, organization: OrganizationScope | null, email: string): Promise<SignInAccount | null> {
    return this.signInAccounts.find(ctx, organization, email, addressGroup(ctx));
  }

  /** Finds the organization and the user. Executes the same statements for a nonexistent account, so that the response time reveals nothing. */
  async find(
    ctx: RequestContext,
    { organization: handle, email }: { readonly organization: string; readonly email: string },
  ): Promise<{ organization: OrganizationScope | null; owner: UserWithOrganization | null }> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    return { organization, owner: await this.signInUsers.find(ctx, organization, email) };
  }
}
