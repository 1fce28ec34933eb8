import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { callerFor, type OrganizationScope, reaches, type RequestContext } from '#platform/common';
import { pipeline } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { OrganizationCreationRulesService } from './organization-creation-rules.service.js';
import { SlugTaken } from './organization-errors.js';
import { newOrganization, searchTextOf } from './organization-fields.js';
import { OrganizationHandlesQuery } from './organization-handles.query.js';
import type { Organization } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import type { CreateOrganizationRequest } from './organization.requests.js';
import { organizationData } from './organization-data.js';
import { SettingsChangeService } from './settings-change.service.js';
import type { SettingsLayer } from './settings/settings.js';
import { slugFrom, slugVariant } from './slug.js';

const MAX_SLUG_ATTEMPTS = 5;

@Injectable()
export class OrganizationCreationService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationRepository,
    private readonly handles: OrganizationHandlesQuery,
    private readonly rules: OrganizationCreationRulesService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
  ) {}

  /**
   * Creates a root organization or a child organization.
   * @throws PlatformKeyRequired (403), ResourceNotFound (404: the parent), OrganizationSuspended (409), OrganizationPending (409)
   * @throws SlugTaken (409), HierarchyTooDeep (422), and the errors of `SettingsChangeService.apply` and
   * `SsoSettingRulesService.assertAllowed`
   */
  async create(ctx: RequestContext, request: CreateOrganizationRequest): Promise<Organization> {
    const parent = await this.rules.getParent(ctx, request.parentId);
    const creator = parent ? { ...ctx, caller: callerFor(ctx.caller, 'organizations:write', parent) } : ctx;
    return this.work.run(creator, async (ctx) => {
      const organization = newOrganization(request, parent, this.rules.initialStatus(ctx), this.work.now());
      // Locks before the reads, so that the rows can't change until the transaction ends.
      const [, parentAgain, layersBefore, isSlugFree] = await pipeline(ctx, [
        () => this.rules.lockTree(ctx, parent),
        () => this.rules.findParentAgain(ctx, parent),
        () => this.effectiveSettings.ancestorLayers(ctx, organization),
        () => this.handles.insert(ctx, organization),
      ]);
      if (parent) this.rules.assertCanHaveChild(ctx, parentAgain, parent.id);
      const ancestorLayers = await this.layersAfterLock(ctx, organization, parentAgain, layersBefore);
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, ancestorLayers);
      const policy = await this.rules.authorizeSettings(ctx, organization, ancestorLayers);
      if (!isSlugFree) await this.insertOtherHandle(ctx, organization, request.slug);
      organization.searchText = searchTextOf(organization);
      this.organizations.insert(ctx, organization, policy);
      if (!parent) this.work.createStream(ctx, organization.id);
      const values = this.settingsChange.values(organization, ancestorLayers);
      await this.work.publish(ctx, 'organization.created', organization, organizationData(organization, values));
      return organization;
    });
  }

  /** Takes the ancestors and their settings from the locked parent, if the parent was moved concurrently. */
  private async layersAfterLock(
    ctx: RequestContext,
    organization: Organization,
    parent: OrganizationScope | null | undefined,
    layersBefore: readonly SettingsLayer[],
  ): Promise<readonly SettingsLayer[]> {
    const ancestorIds = parent ? [...parent.ancestorIds, parent.id] : [];
    if (isDeepStrictEqual(ancestorIds, organization.ancestorIds)) return layersBefore;
    organization.ancestorIds = ancestorIds;
    return this.effectiveSettings.ancestorLayers(ctx, organization);
  }

  /** Inserts a handle with a random slug suffix. @throws SlugTaken (409) if the caller chose the slug */
  private async insertOtherHandle(
    ctx: RequestContext,
    organization: Organization,
    chosenSlug: string | undefined,
  ): Promise<void> {
    if (chosenSlug !== undefined) {
      const deleted = await this.handles.findDeletedOwner(ctx, chosenSlug);
      throw new SlugTaken(chosenSlug, deleted && reaches(ctx.caller, deleted) ? deleted : undefined);
    }
    for (let attempt = 2; attempt <= MAX_SLUG_ATTEMPTS; attempt++) {
      organization.slug = slugVariant(slugFrom(organization.name));
      if (await this.handles.insert(ctx, organization)) return;
    }
    throw new SlugTaken(organization.slug);
  }
}
