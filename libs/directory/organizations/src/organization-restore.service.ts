import { Injectable } from '@nestjs/common';
import { reaches, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { ParentDeleted } from './organization-errors.js';
import { OrganizationLifecycleHandlers } from './organization-ports.js';
import type { Organization } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { organizationData } from './organization-data.js';
import { OrganizationScopeQuery } from './organization-scope.query.js';

@Injectable()
export class OrganizationRestoreService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationRepository,
    private readonly organizationTree: OrganizationTreeQuery,
    private readonly scopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  /**
   * Restores an organization and the descendants of the same deletion, up to 30 days after the deletion. Has no effect on an organization
   * that is not deleted.
   * @throws ResourceNotFound (404: unknown or purged), ParentDeleted (409), HigherPrivilegesOutside, AffectedOrganizationInaccessible (403)
   */
  async restore(ctx: RequestContext, handle: string): Promise<Organization> {
    return this.work.run(ctx, async (ctx) => {
      const scope = (await this.scopes.findDeletedScope(ctx, handle)) ?? (await this.scopes.findScope(ctx, handle));
      if (!scope || !reaches(ctx.caller, scope)) throw new ResourceNotFound('organization', handle);
      await this.organizationTree.lock(ctx, scope.tenantId);
      const organization = await this.organizations.lock(ctx, scope);
      if (!organization) throw new ResourceNotFound('organization', handle);
      if (!organization.deletedAt) return organization;
      const parent =
        organization.parentId &&
        (await this.organizations.findLive(ctx, { tenantId: scope.tenantId, id: organization.parentId }));
      if (organization.parentId && !parent) throw new ParentDeleted();
      const deletedTogether = await this.organizationTree.lockDeletedWith(ctx, organization);
      const ids = deletedTogether.map(({ id }) => id);
      const now = this.work.now();
      const authorization = await this.lifecycleHandlers.authorizeReturn(ctx, scope, ids);
      await this.organizationTree.markRestored(ctx, scope.tenantId, ids, now, authorization);
      await this.lifecycleHandlers.onRestored(ctx, scope.tenantId, ids, authorization);
      for (const [deleted, settings] of await this.effectiveSettings.resolveAll(ctx, deletedTogether)) {
        const changes = { deletedAt: { from: deleted.deletedAt?.toISOString(), to: null } };
        const restored = Object.assign(deleted, { deletedAt: null, updatedAt: now });
        const data = { ...organizationData(restored, settings.values), changes };
        await this.work.publish(ctx, 'organization.updated', restored, data);
      }
      return Object.assign(organization, { deletedAt: null, updatedAt: now });
    });
  }
}
