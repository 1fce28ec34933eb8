import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import { PrivilegesService } from '#directory/privileges';
import { OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { OAuthGrantsService } from '../grants/oauth-grants.service.js';
import { ShownGrantsService } from '../grants/shown-grants.service.js';
import type { ApplicationApproval } from './application-approval.entity.js';

/** Ends what users allowed an application, when its approval is revoked. */
@Injectable()
export class RevokedApprovalService {
  constructor(
    private readonly grantQuery: OAuthGrantQuery,
    private readonly grants: OAuthGrantsService,
    private readonly shown: ShownGrantsService,
    private readonly privileges: PrivilegesService,
  ) {}

  /** Ends the grants in the organization and its descendants, in the transaction of the caller. @throws HigherPrivileges (403) */
  async endGrants(ctx: RequestContext, { clientId }: ApplicationApproval): Promise<void> {
    const found = await this.grantQuery.lockOfClientBelow(ctx, organizationOf(ctx), clientId);
    const [first] = found;
    if (!first) return;
    const clientName = await this.shown.nameOf(ctx, first.grant);
    for (const organizationId of new Set(found.map(({ organization }) => organization.id))) {
      const inOrganization = found.filter(({ organization }) => organization.id === organizationId);
      const users = inOrganization.map(({ grant }) => ({ tenantId: grant.userTenantId, id: grant.userId }));
      const loss = await this.privileges.authorizeLossAt(ctx, users, { id: organizationId });
      for (const { grant, organization } of inOrganization)
        await this.grants.revoke(ctx, grant, organization, clientName, 'approval_revoked', loss);
    }
  }
}
