import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, ownUserOf, type RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { UserActivationService } from '#directory/users';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import type { OAuthGrant } from './oauth-grant.entity.js';
import { OAuthGrantQuery } from './oauth-grant.query.js';
import { OAuthGrantRepository } from './oauth-grant.repository.js';

/** A grant with what people need to recognize it. */
export interface ShownGrant {
  readonly grant: OAuthGrant;
  readonly organization: OrganizationScope;
  /** Null if the client was deleted. */
  readonly client: KnownClient | null;
  /** Null if the user is no member of the organization itself. */
  readonly email: string | null;
}

/** Reads what people need to recognize grants. */
@Injectable()
export class ShownGrantsService {
  constructor(
    private readonly grants: OAuthGrantRepository,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly userActivation: UserActivationService,
    private readonly clock: Clock,
  ) {}

  /** Returns the grants of an organization. */
  async ofOrganization(
    ctx: RequestContext,
    organization: OrganizationScope,
    grants: readonly OAuthGrant[],
  ): Promise<ShownGrant[]> {
    const clients = await this.clientsOf(ctx, grants);
    const userIds = grants.map(({ userId }) => userId);
    const emails = await this.grantQuery.mapEmails(ctx, organization, userIds);
    return grants.map((grant) => ({
      grant,
      organization,
      client: clients.get(grant.clientId) ?? null,
      email: emails.get(grant.userId) ?? null,
    }));
  }

  /** Returns the grants of the signed-in user in all tenants, newest first, without deleted organizations. */
  async ofUser(ctx: RequestContext): Promise<ShownGrant[]> {
    const user = ownUserOf(ctx);
    const owner = await this.userActivation.find(ctx, user);
    const tenantIds = [user.tenantId, ...(owner?.user.guestTenantIds ?? [])];
    const shown: ShownGrant[] = [];
    for (const tenantId of tenantIds) {
      const grants = await this.grants.findAll(ctx, { tenantId, userId: user.id });
      const ids = grants.map(({ organizationId }) => organizationId);
      const organizations = new Map((await this.organizationScopes.listByIds(ctx, tenantId, ids)).map((each) => [each.id, each]));
      const clients = await this.clientsOf(ctx, grants);
      for (const grant of grants) {
        const organization = organizations.get(grant.organizationId);
        const client = clients.get(grant.clientId) ?? null;
        if (organization && client) shown.push({ grant, organization, client, email: owner?.user.email ?? null });
      }
    }
    return shown;
  }

  async nameOf(ctx: RequestContext, grant: OAuthGrant): Promise<string> {
    return (await this.clientsOf(ctx, [grant])).get(grant.clientId)?.name ?? '';
  }

  private clientsOf(ctx: RequestContext, grants: readonly OAuthGrant[]): Promise<ReadonlyMap<string, KnownClient>> {
    const keys = grants.map(({ clientTenantId, clientId }) => ({ tenantId: clientTenantId, id: clientId }));
    return this.clientQuery.mapByIds(ctx, keys, this.clock.now());
  }
}
