import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SignInUsersService, type UserWithOrganization } from '#directory/users';

@Injectable()
export class SignInAccountsService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInUsers: SignInUsersService,
  ) {}

  /** Finds the organization and the user. Executes the same statements for a nonexistent account, so that the response time reveals nothing. */
  async find(
    ctx: RequestContext,
    { organization: handle, email }: { readonly organization: string; readonly email: string },
  ): Promise<{ organization: OrganizationScope | null; owner: UserWithOrganization | null }> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    return { organization, owner: await this.signInUsers.find(ctx, organization, email) };
  }
}
