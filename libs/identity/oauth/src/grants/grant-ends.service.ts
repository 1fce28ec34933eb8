import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { type DomainEvent, OnDomainEvent } from '#platform/events';
import { type LossAuthorization, unneeded } from '#directory/privileges';
import type { UserWithOrganization } from '#directory/users';
import { GrantEndPorts } from './grant-end-ports.js';
import { OAuthGrantQuery } from './oauth-grant.query.js';
import { OAuthGrantRepository } from './oauth-grant.repository.js';
import { OAuthGrantsService } from './oauth-grants.service.js';

/**
 * Ends grants with what they rest on: a membership, the access of an account whose address was not confirmed, or the user. Without it, they
 * would be worth nothing (`StandingService`), but would return together with the membership.
 */
@Injectable()
export class GrantEndsService implements OnModuleInit {
  constructor(
    private readonly grants: OAuthGrantRepository,
    private readonly grantWrites: OAuthGrantsService,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly ports: GrantEndPorts,
  ) {}

  onModuleInit(): void {
    const { memberRemoval, accountAccess } = this.ports;
    memberRemoval.register((ctx, organization, { id }, loss) => this.endIn(ctx, organization, id, 'member_removed', loss));
    accountAccess.register((ctx, owner, { reason }) => this.endAll(ctx, owner, reason));
  }

  @OnDomainEvent('user.deleted', { mode: 'transactional' })
  async deleteOfUser(ctx: RequestContext, { data }: DomainEvent<'user.deleted'>): Promise<void> {
    if (data.permanent) await this.grantQuery.deleteOfUser(ctx, data.id);
  }

  private async endIn(
    ctx: RequestContext,
    organization: OrganizationScope,
    userId: string,
    reason: string,
    loss: LossAuthorization,
  ): Promise<void> {
    const { tenantId, id: organizationId } = organization;
    for (const grant of await this.grants.findAll(ctx, { tenantId, organizationId, userId }))
      await this.grantWrites.revoke(ctx, grant, organization, await this.grantWrites.clientNameOf(ctx, grant), reason, loss);
  }

  private async endAll(ctx: RequestContext, { user }: UserWithOrganization, reason: string): Promise<void> {
    for (const tenantId of [user.tenantId, ...user.guestTenantIds]) {
      const grants = await this.grants.findAll(ctx, { tenantId, userId: user.id });
      const ids = grants.map(({ organizationId }) => organizationId);
      const organizations = ids.length === 0 ? [] : await this.ports.organizationScopes.listByIds(ctx, tenantId, ids);
      for (const organization of organizations)
        await this.endIn(ctx, organization, user.id, reason, unneeded<'loss'>('unconfirmed_access'));
    }
  }
}
