import { Injectable } from '@nestjs/common';
import { MemberRemovalHandlers } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import { AccountAccess } from '#directory/users';
import { MachineClientGrants } from '#identity/setup-links';

/** The ports of lower libraries that end grants, and what clients created. */
@Injectable()
export class GrantEndPorts {
  constructor(
    readonly memberRemoval: MemberRemovalHandlers,
    readonly accountAccess: AccountAccess,
    readonly machineClients: MachineClientGrants,
    readonly organizationScopes: OrganizationScopeQuery,
  ) {}
}
