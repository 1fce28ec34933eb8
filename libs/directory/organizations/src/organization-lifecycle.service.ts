import { Injectable } from '@nestjs/common';
import {
  type Caller,
  changesBetween,
  assertUnchanged,
  organizationOf,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettingsService } from './effective-settings.service.js';
import {
  ApprovalRequiresPlatformKey,
  SuspendedByAncestor,
  OrganizationHasChildren,
  OrganizationPending,
} from './organization-errors.js';
import { OrganizationLifecycleHandlers } from './organization-ports.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { organizationData } from './organization-data.js';
import type { Organization, OrganizationStatus } from './organization.entity.js';
import { restorableUntil } from './restore-window.js';

/** Suspends, activates and deletes organizations. */
@Injectable()
export class OrganizationLifecycleService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationRepository,
    private readonly organizationTree: OrganizationTreeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  /**
   * Suspends an organization and its descendants. Users can't sign in, and nothing can be changed. If the organization is already
   * suspended, replaces the time and the reason of the suspension.
   * @throws OrganizationPending (409): the end of a suspension would activate a pending organization without approval
   * @throws SuspendedByAncestor, HigherPrivilegesOutside, AffectedOrganizationInaccessible (403), LastOwner (409)
   */
  suspend(ctx: RequestContext, reason: string): Promise<Organization> {
    return this.changeStatus(ctx, 'suspended', (organization) => {
      if (organization.status === 'pending') throw new OrganizationPending(organization);
      const suspender = suspenderLevel(ctx.caller, organization);
      if (organization.status === 'suspended') {
        assertCanChangeSuspension(organization, suspender);
        if (organization.suspendedReason === reason && organization.suspendedBy === suspender.name) return false;
      }
      organization.suspendedAt = this.work.now();
      organization.suspendedReason = reason;
      organization.suspendedBy = suspender.name;
      return true;
    });
  }

  /**
   * Ends a suspension, or approves a pending organization.
   * @throws ApprovalRequiresPlatformKey, SuspendedByAncestor, HigherPrivilegesOutside, AffectedOrganizationInaccessible (403)
   */
  activate(ctx: RequestContext): Promise<Organization> {
    return this.changeStatus(ctx, 'active', (organization) => {
      if (organization.status === 'pending' && ctx.caller.kind !== 'platform') throw new ApprovalRequiresPlatformKey();
      if (organization.status === 'suspended') assertCanChangeSuspension(organization, suspenderLevel(ctx.caller, organization));
      Object.assign(organization, {
        suspendedAt: null,
        suspendedReason: null,
        suspendedBy: null,
      } satisfies Partial<Organization>);
      return organization.status !== 'active';
    });
  }

  /**
   * Deletes the organization and, with `cascade`, its descendants. Organizations can be restored for 30 days. Publishes
   * `organization.deleted` for each organization, parents before their children.
   * @throws OrganizationHasChildren (409) without `cascade`, HigherPrivilegesOutside, AffectedOrganizationInaccessible (403), LastOwner (409)
   */
  async delete(ctx: RequestContext, cascade: boolean): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      await this.organizationTree.lock(ctx, scope.tenantId);
      const organization = await this.organizations.lock(ctx, scope);
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', scope.id);
      assertUnchanged(ctx, organization.version);
      if (!cascade && (await this.organizations.hasLiveChildren(ctx, scope))) throw new OrganizationHasChildren();
      const deleted = [organization, ...(cascade ? await this.organizationTree.lockLiveDescendants(ctx, scope) : [])];
      const ids = deleted.map(({ id }) => id);
      const loss = await this.lifecycleHandlers.authorizeLoss(ctx, scope, ids);
      const now = this.work.now();
      for (const [deletedOrganization, settings] of await this.effectiveSettings.resolveAll(ctx, deleted)) {
        await this.work.publish(ctx, 'organization.deleted', deletedOrganization, {
          ...organizationData(deletedOrganization, settings.values),
          deletedAt: now.toISOString(),
          purgeAt: restorableUntil(now).toISOString(),
        });
      }
      await this.organizationTree.markDeleted(ctx, { tenantId: scope.tenantId, ids, rootId: organization.id }, now, loss);
      await this.lifecycleHandlers.onDeleted(ctx, scope.tenantId, ids, loss);
    });
  }

  private async changeStatus(
    ctx: RequestContext,
    status: OrganizationStatus,
    change: (organization: Organization) => boolean,
  ): Promise<Organization> {
    return this.work.run(ctx, async (ctx) => {
      const organization = await this.organizations.lock(ctx, organizationOf(ctx));
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', organizationOf(ctx).id);
      const { values } = await this.effectiveSettings.get(ctx, organization);
      const data = () => ({
        ...organizationData(organization, values),
        suspendedAt: organization.suspendedAt?.toISOString() ?? null,
        suspendedReason: organization.suspendedReason,
      });
      const before = data();
      if (!change(organization)) return organization;
      const ids = [organization.id, ...(await this.organizationTree.listDescendantIds(ctx, organization))];
      const authorization =
        status === 'suspended'
          ? await this.lifecycleHandlers.authorizeLoss(ctx, organization, ids)
          : await this.lifecycleHandlers.authorizeReturn(ctx, organization, ids);
      organization.status = status;
      organization.updatedAt = this.work.now();
      await this.organizations.save(ctx, organization, authorization);
      this.lifecycleHandlers.onStatusChanged(ctx);
      await this.work.publish(ctx, 'organization.updated', organization, {
        ...organizationData(organization, values),
        changes: changesBetween(before, data()),
      });
      return organization;
    });
  }
}

interface SuspenderLevel {
  /** The value of `suspendedBy`. */
  readonly name: string;
  /** Number of ancestors of the organization `name`; -1 for the platform. */
  readonly depth: number;
}

const PLATFORM: SuspenderLevel = { name: 'platform', depth: -1 };

/** Returns the highest level that the caller has access to: the platform, an ancestor or the organization itself. */
function suspenderLevel(caller: Caller, organization: Organization): SuspenderLevel {
  if (caller.kind === 'platform' || caller.kind === 'system') return PLATFORM;
  const chain = [...organization.ancestorIds, organization.id];
  const name = chain.find((id) => caller.organizationIds?.includes(id)) ?? organization.id;
  return { name, depth: chain.indexOf(name) };
}

/** @throws SuspendedByAncestor (403) if the suspender was at a higher level than the caller */
function assertCanChangeSuspension(organization: Organization, caller: SuspenderLevel): void {
  const chain = [...organization.ancestorIds, organization.id];
  const suspenderDepth =
    organization.suspendedBy === PLATFORM.name ? PLATFORM.depth : chain.indexOf(organization.suspendedBy ?? organization.id);
  if (caller.depth > suspenderDepth) throw new SuspendedByAncestor();
}
