import { Injectable } from '@nestjs/common';
import { organizationOf, ownUserOf, type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PrivilegesService, unneeded } from '#directory/privileges';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import { OAuthGrantRepository } from './oauth-grant.repository.js';
import { OAuthGrantsService } from './oauth-grants.service.js';
import { type ShownGrant, ShownGrantsService } from './shown-grants.service.js';

export interface GrantSelection {
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
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
    private readonly shown: ShownGrantsService,
    private readonly privileges: PrivilegesService,
    private readonly resources: DescribedResourcesService,
  ) {}

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, { userId, clientId }: GrantSelection, request: PageRequest): Promise<Page<ListedGrant>> {
    const { tenantId, id: organizationId } = organizationOf(ctx);
    const filter = { tenantId, organizationId, ...(userId ? { userId } : {}), ...(clientId ? { clientId } : {}) };
    const page = await this.grants.list(ctx, filter, request);
    return { ...page, items: await this.described(ctx, await this.shown.ofOrganization(ctx, organizationOf(ctx), page.items)) };
  }

  /** @throws ResourceNotFound (404), HigherPrivileges (403) */
  async revoke(ctx: RequestContext, id: string): Promise<void> {
    const organization = organizationOf(ctx);
    await this.work.run(ctx, async (ctx) => {
      const grant = await this.grants.lock(ctx, { tenantId: organization.tenantId, organizationId: organization.id, id });
      if (!grant) throw new ResourceNotFound('oauth_grant', id);
      const user = { tenantId: grant.userTenantId, id: grant.userId };
      const loss = await this.privileges.authorizeLossAt(ctx, [user], organization);
      const name = await this.shown.nameOf(ctx, grant);
      await this.grantWrites.revoke(ctx, grant, organization, name, 'revoked_by_administrator', loss);
    });
  }

  /** Returns the grants of the signed-in user in all organizations, newest first in each tenant. */
  async listOwn(ctx: RequestContext): Promise<ListedGrant[]> {
    return this.described(ctx, await this.shown.ofUser(ctx));
  }

  /** @throws ResourceNotFound (404) */
  async revokeOwn(ctx: RequestContext, id: string): Promise<void> {
    const user = ownUserOf(ctx);
    const own = (await this.shown.ofUser(ctx)).find(({ grant }) => grant.id === id);
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
}
