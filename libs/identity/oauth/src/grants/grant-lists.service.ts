import { Injectable } from '@nestjs/common';
import {
  organizationOf,
  type OrganizationScope,
  ownUserOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { PrivilegesService, unneeded } from '#directory/privileges';
import { UserActivationService } from '#directory/users';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import type { OAuthGrant } from './oauth-grant.entity.js';
import { OAuthGrantQuery } from './oauth-grant.query.js';
import { OAuthGrantRepository } from './oauth-grant.repository.js';
import { OAuthGrantsService } from './oauth-grants.service.js';

export interface GrantSelection {
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
}

/** A grant with what people need to recognize it. */
interface ShownGrant {
  readonly grant: OAuthGrant;
  readonly organization: OrganizationScope;
  /** Null if the client was deleted. */
  readonly client: KnownClient | null;
  /** Null if the user is no member of the organization itself. */
  readonly email: string | null;
}

/** A grant with the texts of what it allows. */
export interface ListedGrant extends ShownGrant {
  readonly resources: readonly DescribedResource[];
}

/** Shows and revokes grants: of the organization in the request, and of the signed-in user. */
@Injectable()
export class GrantListsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly grants: OAuthGrantRepository,
    private readonly grantWrites: OAuthGrantsService,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly userActivation: UserActivationService,
    private readonly privileges: PrivilegesService,
    private readonly resources: DescribedResourcesService,
  ) {}

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, { userId, clientId }: GrantSelection, request: PageRequest): Promise<Page<ListedGrant>> {
    const { tenantId, id: organizationId } = organizationOf(ctx);
    const filter = { tenantId, organizationId, ...(userId ? { userId } : {}), ...(clientId ? { clientId } : {}) };
    const page = await this.grants.list(ctx, filter, request);
    return { ...page, items: await this.described(ctx, await this.ofOrganization(ctx, organizationOf(ctx), page.items)) };
  }

  /** @throws ResourceNotFound (404), HigherPrivileges (403) */
  async revoke(ctx: RequestContext, id: string): Promise<void> {
    const organization = organizationOf(ctx);
    await this.work.run(ctx, async (ctx) => {
      const grant = await this.grants.lock(ctx, { tenantId: organization.tenantId, organizationId: organization.id, id });
      if (!grant) throw new ResourceNotFound('oauth_grant', id);
      const user = { tenantId: grant.userTenantId, id: grant.userId };
      const loss = await this.privileges.authorizeLossAt(ctx, [user], organization);
      const name = await this.grantWrites.clientNameOf(ctx, grant);
      await this.grantWrites.revoke(ctx, grant, organization, name, 'revoked_by_administrator', loss);
    });
  }

  /** Returns the grants of the signed-in user in all organizations, newest first in each tenant. */
  async listOwn(ctx: RequestContext): Promise<ListedGrant[]> {
    return this.described(ctx, await this.ofUser(ctx));
  }

  /** @throws ResourceNotFound (404) */
  async revokeOwn(ctx: RequestContext, id: string): Promise<void> {
    const user = ownUserOf(ctx);
    const own = (await this.ofUser(ctx)).find(({ grant }) => grant.id === id);
    if (!own) throw new ResourceNotFound('oauth_grant', id);
    await this.work.run(ctx, async (ctx) => {
      const grant = await this.grants.lock(ctx, { tenantId: own.organization.tenantId, id, userId: user.id });
      if (!grant) throw new ResourceNotFound('oauth_grant', id);
      const loss = unneeded<'loss'>('own_account');
      await this.grantWrites.revoke(ctx, grant, own.organization, own.client?.name ?? '', 'revoked_by_user', loss);
    });
  }

  private async described(ctx: RequestContext, shown: readonly ShownGrant[]): Promise<ListedGrant[]> {
    const scopes = shown.map(({ client, grant: { resourceScopes } }) => ({ client, resourceScopes }));
    const resources = await this.resources.describe(ctx, scopes);
    return shown.map((grant, index) => ({ ...grant, resources: resources[index] ?? [] }));
  }

  /** Returns the grants of an organization. */
  private async ofOrganization(
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
  private async ofUser(ctx: RequestContext): Promise<ShownGrant[]> {
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

  private clientsOf(ctx: RequestContext, grants: readonly OAuthGrant[]): Promise<ReadonlyMap<string, KnownClient>> {
    const keys = grants.map(({ clientTenantId, clientId }) => ({ tenantId: clientTenantId, id: clientId }));
    return this.clientQuery.mapByIds(ctx, keys, this.work.now());
  }
}
