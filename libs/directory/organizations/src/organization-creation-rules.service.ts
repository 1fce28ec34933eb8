import { Injectable } from '@nestjs/common';
import { type OrganizationScope, reaches, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { PolicyAuthorization } from '#directory/privileges';
import { HierarchyTooDeep, PlatformKeyRequired, OrganizationPending, OrganizationSuspended } from './organization-errors.js';
import type { Organization, OrganizationStatus } from './organization.entity.js';
import { OrganizationScopeQuery } from './organization-scope.query.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { SettingEffectsService } from './settings/setting-effects.service.js';
import { SsoSettingRulesService } from './settings/sso-setting-rules.service.js';
import { resolveSettings, type SettingsLayer } from './settings/settings.js';

/** Checks the parent of a new organization and determines the initial status. */
@Injectable()
export class OrganizationCreationRulesService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly organizationTree: OrganizationTreeQuery,
    private readonly ssoSettingRules: SsoSettingRulesService,
    private readonly settingEffects: SettingEffectsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the parent of a new organization, or undefined for a root organization.
   * @throws PlatformKeyRequired (403), ResourceNotFound (404), OrganizationSuspended (409), OrganizationPending (409), HierarchyTooDeep (422)
   */
  async getParent(ctx: RequestContext, reference: string | undefined): Promise<OrganizationScope | undefined> {
    if (reference === undefined) {
      if (ctx.caller.kind !== 'platform') throw new PlatformKeyRequired();
      return undefined;
    }
    const parent = await this.scopes.findScope(ctx, reference);
    this.assertCanHaveChild(ctx, parent, reference);
    return parent;
  }

  /** Prevents the deletion of the parent and its ancestors until the transaction ends. */
  async lockTree(ctx: RequestContext, parent: OrganizationScope | undefined): Promise<void> {
    if (parent) await this.organizationTree.lockForCreation(ctx, parent.tenantId);
  }

  /** Reads the parent after `lockTree`. Returns undefined for a root organization, and null if the parent was deleted concurrently. */
  async findParentAgain(
    ctx: RequestContext,
    parent: OrganizationScope | undefined,
  ): Promise<OrganizationScope | null | undefined> {
    return parent && this.scopes.findScope(ctx, parent.id);
  }

  /** @throws ResourceNotFound (404), OrganizationSuspended (409), OrganizationPending (409), HierarchyTooDeep (422) */
  assertCanHaveChild(
    { caller }: RequestContext,
    parent: OrganizationScope | null | undefined,
    reference: string,
  ): asserts parent is OrganizationScope {
    if (!parent || !reaches(caller, parent)) throw new ResourceNotFound('organization', reference);
    if (parent.status === 'suspended') throw new OrganizationSuspended();
    if (parent.status === 'pending') throw new OrganizationPending(parent);
    const { maxHierarchyDepth } = this.config;
    if (parent.ancestorIds.length + 2 > maxHierarchyDepth) throw new HierarchyTooDeep(maxHierarchyDepth);
  }

  /** @throws the errors of `SsoSettingRulesService.assertAllowed` and `SettingEffectsService.authorizeRegistration` */
  async authorizeSettings(
    ctx: RequestContext,
    organization: Organization,
    ancestorLayers: readonly SettingsLayer[],
  ): Promise<PolicyAuthorization> {
    await this.ssoSettingRules.assertAllowed(ctx, organization, { overrides: {}, locked: [] }, ancestorLayers);
    const { id, name, settingsOverrides: overrides, lockedSettings: locked } = organization;
    const before = resolveSettings(ancestorLayers).values;
    const after = resolveSettings([...ancestorLayers, { id, name, overrides, locked }]).values;
    return this.settingEffects.authorizeRegistration(ctx, [{ organization, before, after }]);
  }

  initialStatus({ caller }: RequestContext): OrganizationStatus {
    return this.config.organizationApproval && caller.kind !== 'platform' ? 'pending' : 'active';
  }
}
