import { Injectable } from '@nestjs/common';
import {
  bindingSessionOf,
  BUILT_IN_ROLE_PERMISSIONS,
  hasPermission,
  type OrganizationScope,
  ownPermissionsAt,
  permissionsBeyond,
  reaches,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import type { PolicyAuthorization } from '#directory/privileges';
import { OrganizationCreationRulesService } from '../organization-creation-rules.service.js';
import { HierarchyTooDeep } from '../organization-errors.js';
import type { Organization } from '../organization.entity.js';
import { OrganizationScopeQuery } from '../organization-scope.query.js';
import { SessionRequirementsQuery } from '../session-requirements.query.js';
import { SettingEffectsService } from '../settings/setting-effects.service.js';
import { ancestorPath, isUnchanged, type MovePath, type MovePlan } from './move-plan.js';
import {
  AncestorAccessRequired,
  AncestorRoleInUse,
  EventsReadRequired,
  MoveBeyondOwn,
  OrganizationCycle,
  OrganizationNotMovable,
  ParentAccessRequired,
} from './organization-move-errors.js';
import { MoveProviderRulesService } from './move-provider-rules.service.js';
import { OrganizationInheritance } from './organization-inheritance.js';

/** Decides whether a caller can move an organization. The preview and the move apply the same rules. */
@Injectable()
export class MoveRulesService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly creationRules: OrganizationCreationRulesService,
    private readonly sessionRequirements: SessionRequirementsQuery,
    private readonly settingEffects: SettingEffectsService,
    private readonly inheritance: OrganizationInheritance,
    private readonly providerRules: MoveProviderRulesService,
  ) {}

  /**
   * Returns the previous and the new position of the organization.
   * @throws OrganizationNotMovable (422), OrganizationCycle (409), ParentAccessRequired (403), ResourceNotFound (404: the new parent, or
   * the organization after a concurrent move)
   */
  async getPath(ctx: RequestContext, organization: Organization, reference: string): Promise<MovePath> {
    if (!reaches(ctx.caller, organization)) throw new ResourceNotFound('organization', organization.id);
    if (organization.parentId === null) throw new OrganizationNotMovable('root');
    const [previousParent] = await this.scopes.listByIds(ctx, organization.tenantId, [organization.parentId]);
    const parent = await this.scopes.findScope(ctx, reference);
    const restricted = await this.withUnmetRequirements(ctx, [previousParent, parent]);
    if (!previousParent || !reaches(restricted.caller, previousParent)) throw new ParentAccessRequired();
    if (!parent || !reaches(restricted.caller, parent)) throw new ResourceNotFound('organization', reference);
    if (parent.tenantId !== organization.tenantId) throw new OrganizationNotMovable('other_tenant');
    const ancestorIds = [...parent.ancestorIds, parent.id];
    if (ancestorIds.includes(organization.id)) throw new OrganizationCycle();
    return {
      organization,
      parent,
      previousParent: { id: previousParent.id, name: previousParent.name },
      ancestorIds,
      left: organization.ancestorIds.filter((id) => !ancestorIds.includes(id)),
      joined: ancestorIds.filter((id) => !organization.ancestorIds.includes(id)),
    };
  }

  /**
   * Authorizes that nobody gains or loses permissions that the caller lacks, and that the move ends no rule of an ancestor that the caller
   * can't change. Returns undefined if the parent stays the same.
   * @throws HierarchyTooDeep (422), AncestorRoleInUse, SsoProviderMissing (409), MoveBeyondOwn, EventsReadRequired, AncestorAccessRequired,
   * AllPermissionsRequired, GrantBeyondOwn (403)
   */
  async authorize(ctx: RequestContext, plan: MovePlan): Promise<PolicyAuthorization | undefined> {
    if (isUnchanged(plan)) return undefined;
    const { organization, depth } = plan;
    if (depth.to > depth.limit && depth.to > depth.from) throw new HierarchyTooDeep(depth.limit);
    const usedRoles = await this.inheritance.listUsedRoles(ctx, organization, plan.left);
    if (usedRoles.length > 0) throw new AncestorRoleInUse(usedRoles);
    this.assertPermissionsCovered(ctx, plan);
    this.assertCanChangeAncestors(ctx, plan);
    const policy = await this.settingEffects.authorize(ctx, plan.settingsEffects);
    await this.providerRules.assertAllowed(ctx, plan);
    return policy;
  }

  /**
   * Asserts that the new parent accepts children. A preview does not need this.
   * @throws OrganizationSuspended (409), OrganizationPending (409)
   */
  assertParentWritable(ctx: RequestContext, { parent }: MovePlan): void {
    this.creationRules.assertCanHaveChild(ctx, parent, parent.id);
  }

  private assertPermissionsCovered({ caller }: RequestContext, { organization, permissions, webhooks }: MovePlan): void {
    const held = ownPermissionsAt(caller, organization);
    const gained = permissions.gained.flatMap((change) => change.permissions);
    // Like the revocation of roles: permissions that every member has don't count. The caller can give up own permissions.
    const lost = permissions.lost
      .filter(({ holder }) => holder.id !== caller.id)
      .flatMap((change) => change.permissions)
      .filter((permission) => !BUILT_IN_ROLE_PERMISSIONS.member.includes(permission));
    const [notGrantable, notRevocable] = [permissionsBeyond(held, gained), permissionsBeyond(held, lost)];
    if (notGrantable.length > 0) throw new MoveBeyondOwn('gain', unique(notGrantable));
    if (notRevocable.length > 0) throw new MoveBeyondOwn('lose', unique(notRevocable));
    if (webhooks.gained.length + webhooks.lost.length > 0 && !hasPermission(held, 'events:read')) throw new EventsReadRequired();
  }

  /** Asserts that the caller could end the locks and suspensions of ancestors that the move ends. */
  private assertCanChangeAncestors({ caller }: RequestContext, plan: MovePlan): void {
    const canChange = (id: string): boolean =>
      hasPermission(ownPermissionsAt(caller, ancestorPath(plan, id)), 'organizations:write');
    for (const { from } of plan.locks)
      if (from && plan.left.includes(from.id) && !canChange(from.id)) throw new AncestorAccessRequired('lock', from);
    for (const id of plan.leftSuspenders)
      if (!canChange(id)) throw new AncestorAccessRequired('suspension', { id, name: plan.names.get(id) ?? id });
  }

  /** Excludes organizations whose MFA or network settings the session does not satisfy, as for the organization in the path. */
  private async withUnmetRequirements(
    ctx: RequestContext,
    organizations: readonly (OrganizationScope | null | undefined)[],
  ): Promise<RequestContext> {
    const session = bindingSessionOf(ctx);
    if (!session) return ctx;
    const accessed = organizations.filter((organization) => organization !== null && organization !== undefined);
    const organizationIds = accessed.map(({ id }) => id);
    const tenantIds = accessed.map(({ tenantId }) => tenantId);
    const unmet = await this.sessionRequirements.listUnmet(ctx, { organizationIds, tenantIds }, session);
    return { ...ctx, caller: { ...ctx.caller, inaccessibleOrganizationIds: unmet } };
  }
}

const unique = (permissions: readonly string[]): string[] => [...new Set(permissions)];
