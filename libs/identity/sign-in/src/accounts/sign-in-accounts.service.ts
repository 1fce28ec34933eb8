import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SignInUsersService, type UserAtHome } from '#directory/users';

/** Finds accounts by the organization and the email address that somebody enters. */
@Injectable()
export class SignInAccountsService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInUsers: SignInUsersService,
  ) {}

  /** Executes the same statements whether the organization and the user exist or not, so that the response time reveals nothing. */
  async find(
    ctx: RequestContext,
    { organization: handle, email }: { readonly organization: string; readonly email: string },
  ): Promise<{ organization: OrganizationScope | null; user: UserAtHome | null }> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    return { organization, user: await this.signInUsers.find(ctx, organization, email) };
  }
}
