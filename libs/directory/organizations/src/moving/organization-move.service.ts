import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  changesBetween,
  organizationOf,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { type OrganizationMovedData, UnitOfWork } from '#platform/events';
import type { PolicyAuthorization } from '#directory/privileges';
import { organizationData } from '../organization-data.js';
import type { Organization } from '../organization.entity.js';
import { OrganizationRepository } from '../organization.repository.js';
import { OrganizationTreeQuery } from '../organization-tree.query.js';
import type { MovePlan } from './move-plan.js';
import { MovePlanService } from './move-plan.service.js';
import { MoveRulesService } from './move-rules.service.js';
import { OrganizationMoveQuery } from './organization-move.query.js';

/** Maximum number of descendants with changed settings in the event `organization.moved`. */
const DESCENDANTS_IN_EVENT = 100;

/** Moves organizations within their tenant, and previews moves. */
@Injectable()
export class OrganizationMoveService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationRepository,
    private readonly organizationTree: OrganizationTreeQuery,
    private readonly moveQuery: OrganizationMoveQuery,
    private readonly plans: MovePlanService,
    private readonly rules: MoveRulesService,
  ) {}

  /**
   * Returns the effects of a move without moving the organization.
   * @throws the errors of `MoveRulesService`
   */
  async preview(ctx: RequestContext, parentReference: string): Promise<MovePlan> {
    return this.work.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      const organization = await this.organizations.findLive(ctx, scope);
      if (!organization) throw new ResourceNotFound('organization', scope.id);
      return (await this.plan(ctx, organization, parentReference)).plan;
    });
  }

  /**
   * Moves the organization with its descendants. Has no effect if the parent stays the same.
   * @throws ReauthenticationRequired (401), and the errors of `MoveRulesService`
   */
  async move(ctx: RequestContext, parentReference: string): Promise<{ plan: MovePlan; version: number }> {
    assertRecentlyAuthenticated(ctx, this.work.now());
    return this.work.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      await this.organizationTree.lock(ctx, scope.tenantId);
      const organization = await this.organizations.lock(ctx, scope);
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', scope.id);
      await this.moveQuery.lockSubtree(ctx, organization);
      const { plan, policy } = await this.plan(ctx, organization, parentReference);
      if (!policy) return { plan, version: organization.version };
      this.rules.assertParentWritable(ctx, plan);
      const now = this.work.now();
      await this.moveQuery.move(ctx, organization, plan.parent, now, policy);
      await this.publish(ctx, plan, now);
      return { plan, version: organization.version + 1 };
    });
  }

  private async plan(
    ctx: RequestContext,
    organization: Organization,
    parentReference: string,
  ): Promise<{ plan: MovePlan; policy: PolicyAuthorization | undefined }> {
    const plan = await this.plans.make(ctx, await this.rules.getPath(ctx, organization, parentReference));
    return { plan, policy: await this.rules.authorize(ctx, plan) };
  }

  private async publish(ctx: RequestContext, plan: MovePlan, now: Date): Promise<void> {
    const { organization, parent, left, ancestorIds, settings, organizationCount } = plan;
    const moved = { ...organization, parentId: parent.id, updatedAt: now };
    const [from, to] = [organizationData(organization, plan.ownSettings.from), organizationData(moved, plan.ownSettings.to)];
    const descendants = settings.filter(({ id }) => id !== organization.id);
    const data: OrganizationMovedData = {
      ...to,
      changes: changesBetween(from, to),
      organizationCount,
      changedDescendantCount: descendants.length,
      changedDescendants: descendants.slice(0, DESCENDANTS_IN_EVENT).map(({ id, name, changes }) => ({
        id,
        name,
        changes: Object.fromEntries(
          Object.entries(changes).map(([path, change]) => [path, { from: change.from.value, to: change.to.value }]),
        ),
      })),
    };
    // Webhooks of the previous and of the new ancestors receive the event. The last ID is the parent.
    await this.work.publish(ctx, 'organization.moved', { ...moved, ancestorIds: [...left, ...ancestorIds] }, data);
  }
}
