import { Injectable } from '@nestjs/common';
import {
  callerFor,
  changesBetween,
  demandUnchanged,
  mergeMetadata,
  newId,
  organizationOf,
  type OrganizationScope,
  reaches,
  type RequestContext,
  ResourceNotFound,
  searchKey,
} from '#platform/common';
import { pipeline } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { EffectiveSettingsService } from './effective-settings.service.js';
import {
  HierarchyTooDeep,
  OnlyThePlatform,
  OrganizationPending,
  OrganizationSuspended,
  SlugTaken,
} from './organization-errors.js';
import { SettingsChangeService } from './settings-change.service.js';
import type { BrandingRequest, CreateOrganizationRequest, UpdateOrganizationRequest } from './organization.requests.js';
import { organizationData } from './organization.responses.js';
import { type Branding, Organization } from './organization.entity.js';
import { OrganizationHandlesQuery } from './organization-handles.query.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationTreeQuery } from './organization-tree.query.js';
import { OrganizationScopeQuery } from './organization-scope.query.js';
import type { OrganizationSettings, SettingsLayer } from './settings/settings.js';
import { slugFrom, slugVariant } from './slug.js';

const SLUG_TRIES = 5;

/** Creates and changes organizations. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationRepository,
    private readonly organizationTree: OrganizationTreeQuery,
    private readonly handles: OrganizationHandlesQuery,
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly settingsChange: SettingsChangeService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Creates an organization, top-level or below another.
   * @throws OnlyThePlatform, ResourceNotFound (parent), OrganizationSuspended, OrganizationPending, HierarchyTooDeep, SlugTaken, SettingLocked, InvalidRequest
   */
  async create(ctx: RequestContext, request: CreateOrganizationRequest): Promise<Organization> {
    const parent = await this.parentFor(ctx, request.parentId);
    const creator = parent ? { ...ctx, caller: callerFor(ctx.caller, 'organizations:write', parent) } : ctx;
    return this.work.run(creator, async (ctx) => {
      const organization = this.build(ctx, request, parent);
      // The lock comes first: what the statements after it read does not change until the transaction ends.
      const [, lockedParent, above, isSlugFree] = await pipeline(ctx, [
        async () => parent && this.organizationTree.lockForCreation(ctx, parent.tenantId),
        async () => parent && this.scopes.findScope(ctx, parent.id),
        () => this.settings.layersAbove(ctx, organization),
        () => this.handles.insert(ctx, organization),
      ]);
      if (parent) this.demandRoomBelow(ctx, lockedParent, parent.id);
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, above);
      if (!isSlugFree) await this.takeOtherHandle(ctx, organization, request.slug);
      organization.searchText = searchTextOf(organization);
      this.organizations.insert(ctx, organization);
      if (!parent) this.work.createStream(ctx, organization.id);
      await this.work.publish(ctx, 'organization.created', organization, this.data(organization, above));
      return organization;
    });
  }

  /**
   * Changes the fields sent.
   * @throws ResourceNotFound, SettingLocked, InvalidRequest
   */
  async update(
    ctx: RequestContext,
    request: UpdateOrganizationRequest,
  ): Promise<{ organization: Organization; settings: OrganizationSettings }> {
    return this.work.run(ctx, async (ctx) => {
      const organization = await this.organizations.lock(ctx, organizationOf(ctx));
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', organizationOf(ctx).id);
      demandUnchanged(ctx, organization.version);
      const above = await this.settings.layersAbove(ctx, organization);
      const before = this.data(organization, above);
      const overridesBefore = JSON.stringify(organization.settingsOverrides);
      if (request.settings) await this.settingsChange.apply(ctx, organization, request.settings, above);
      applyFields(organization, request);
      const changes = changesBetween(before, this.data(organization, above));
      if (Object.keys(changes).length > 0 || overridesBefore !== JSON.stringify(organization.settingsOverrides)) {
        organization.updatedAt = this.work.now();
        await this.organizations.save(ctx, organization);
      }
      if (Object.keys(changes).length > 0) {
        await this.work.publish(ctx, 'organization.updated', organization, { ...this.data(organization, above), changes });
      }
      return { organization, settings: this.settingsChange.values(organization, above) };
    });
  }

  private async parentFor(ctx: RequestContext, reference: string | undefined): Promise<OrganizationScope | undefined> {
    if (reference === undefined) {
      if (ctx.caller.kind !== 'platform') throw new OnlyThePlatform();
      return undefined;
    }
    return this.demandRoomBelow(ctx, await this.scopes.findScope(ctx, reference), reference);
  }

  /** The organization, if the caller may put another below it. */
  private demandRoomBelow(
    { caller }: RequestContext,
    scope: OrganizationScope | null | undefined,
    reference: string,
  ): OrganizationScope {
    if (!scope || !reaches(caller, scope)) throw new ResourceNotFound('organization', reference);
    if (scope.status === 'suspended') throw new OrganizationSuspended();
    if (scope.status === 'pending') throw new OrganizationPending(scope);
    if (scope.ancestorIds.length + 2 > this.config.maxHierarchyDepth) throw new HierarchyTooDeep(this.config.maxHierarchyDepth);
    return scope;
  }

  private build(ctx: RequestContext, request: CreateOrganizationRequest, parent: OrganizationScope | undefined): Organization {
    const now = this.work.now();
    const id = newId('organization');
    const needsApproval = this.config.organizationApproval && ctx.caller.kind !== 'platform';
    return Object.assign(new Organization(), {
      id,
      tenantId: parent?.tenantId ?? id,
      parentId: parent?.id ?? null,
      ancestorIds: parent ? [...parent.ancestorIds, parent.id] : [],
      name: request.name,
      slug: request.slug ?? slugFrom(request.name),
      description: request.description ?? null,
      type: request.type ?? 'standard',
      status: needsApproval ? 'pending' : 'active',
      logo: request.logo ?? null,
      branding: mergeBranding(null, request.branding ?? {}),
      metadata: request.metadata ?? {},
      settingsOverrides: {},
      lockedSettings: request.lockedSettings ?? [],
      searchText: '',
      suspendedAt: null,
      suspendedReason: null,
      suspendedBy: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      deletedSeq: null,
      deletionRootId: null,
      version: 1,
    } satisfies Organization);
  }

  /** Another slug where the caller left the choice to us. */
  private async takeOtherHandle(ctx: RequestContext, organization: Organization, wanted: string | undefined): Promise<void> {
    if (wanted !== undefined) throw new SlugTaken(wanted);
    for (let attempt = 2; attempt <= SLUG_TRIES; attempt++) {
      organization.slug = slugVariant(slugFrom(organization.name));
      if (await this.handles.insert(ctx, organization)) return;
    }
    throw new SlugTaken(organization.slug);
  }

  private data(organization: Organization, above: readonly SettingsLayer[]) {
    return organizationData(organization, this.settingsChange.values(organization, above));
  }
}

const searchTextOf = (organization: Organization): string => searchKey(`${organization.name} ${organization.slug}`);

function applyFields(organization: Organization, request: UpdateOrganizationRequest): void {
  organization.name = request.name ?? organization.name;
  organization.type = request.type ?? organization.type;
  organization.lockedSettings = request.lockedSettings ?? organization.lockedSettings;
  if (request.description !== undefined) organization.description = request.description;
  if (request.logo !== undefined) organization.logo = request.logo;
  if (request.branding !== undefined)
    organization.branding = request.branding && mergeBranding(organization.branding, request.branding);
  if (request.metadata) organization.metadata = mergeMetadata(organization.metadata, request.metadata);
  organization.searchText = searchTextOf(organization);
}

function mergeBranding(current: Branding | null, patch: BrandingRequest): Branding | null {
  const merged: Record<string, string> = { ...current };
  for (const [field, value] of Object.entries(patch) as [string, string | null | undefined][]) {
    if (value === null) delete merged[field];
    else if (value !== undefined) merged[field] = value;
  }
  return Object.keys(merged).length > 0 ? merged : null;
}
