import { Injectable } from '@nestjs/common';
import type { Caller, OrganizationScope, RequestContext } from '#platform/common';
import { EffectiveSettingsService } from '#directory/organizations';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { type ApplicationObstacle, findObstacle, isDecider, needsApproval } from './application-rule.js';
import { ApprovalRequestQuery } from './approval-request.query.js';

/** Decides whether a user can use an application in an organization. */
@Injectable()
export class ApplicationRulesService {
  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly requests: ApprovalRequestQuery,
  ) {}

  /** Returns why a user can't use the application, or undefined. `grants` are the permissions of the user. */
  async findObstacle(
    ctx: RequestContext,
    client: KnownClient,
    organization: OrganizationScope,
    grants: Caller['grants'],
  ): Promise<ApplicationObstacle | undefined> {
    if (!needsApproval(client)) return undefined;
    const [{ values }, isApproved] = await Promise.all([
      this.effectiveSettings.get(ctx, organization),
      this.requests.isApproved(ctx, organization, client.id),
    ]);
    return findObstacle(client, values, { isApproved, isDecider: isDecider(grants, organization) });
  }
}
