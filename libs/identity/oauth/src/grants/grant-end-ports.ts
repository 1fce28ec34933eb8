import { Injectable } from '@nestjs/common';
import { MemberRemovalHandlers } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import { AccountAccess } from '#directory/users';

/** The ports of lower libraries that end grants. */
@Injectable()
export class GrantEndPorts {
  constructor(
    readonly memberRemoval: MemberRemovalHandlers,
    readonly accountAccess: AccountAccess,
    readonly organizationScopes: OrganizationScopeQuery,
  ) {}
}
