import { Injectable } from '@nestjs/common';
import {
  organizationOf,
  type OrganizationScope,
  type PageRequest,
  reaches,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { type ListResponse, listResponse } from '#platform/http';
import { EffectiveSettingsService } from './effective-settings.service.js';
import { type HierarchyNode, OrganizationDirectoryQuery } from './organization-directory.query.js';
import type { ListOrganizationsQuery } from './organization.requests.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationListItemResponse, OrganizationResponse } from './organization.responses.js';
import { OrganizationScopeQuery } from './organization-scope.query.js';

/** Reads organizations for responses. */
@Injectable()
export class OrganizationQueriesService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly directory: OrganizationDirectoryQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly scopes: OrganizationScopeQuery,
  ) {}

  async list(
    ctx: RequestContext,
    query: ListOrganizationsQuery,
    request: PageRequest,
  ): Promise<ListResponse<OrganizationListItemResponse>> {
    const { status, type, search, topmost } = query;
    const parent =
      query.parentId === undefined || query.parentId === 'null'
        ? query.parentId && null
        : await this.getParent(ctx, query.parentId);
    const page = await this.directory.list(ctx, { parent, status, type, search, topmost }, request);
    const items = await this.effectiveSettings.resolveAll(ctx, page.items);
    const counts = await this.directory.countMembers(ctx, page.items);
    const hasTreeFilter = parent !== undefined || topmost === true;
    const idsWithChildren = hasTreeFilter ? await this.directory.listIdsWithChildren(ctx, page.items) : undefined;
    return listResponse({ ...page, items }, ([organization, { values }]) => {
      const { id } = organization;
      return OrganizationListItemResponse.from(organization, values, counts.get(id) ?? 0, idsWithChildren?.has(id));
    });
  }

  async get(ctx: RequestContext): Promise<{ response: OrganizationResponse; version: number }> {
    const scope = organizationOf(ctx);
    const organization = await this.organizations.findLive(ctx, scope);
    if (!organization) throw new ResourceNotFound('organization', scope.id);
    const settings = await this.effectiveSettings.get(ctx, scope);
    const counts = await this.directory.countMembers(ctx, [scope]);
    const children = await this.directory.listChildren(ctx, scope);
    const providers = await this.directory.listIdentityProviders(ctx, scope);
    const response = OrganizationResponse.fromDetails(
      organization,
      settings.values,
      counts.get(scope.id) ?? 0,
      children,
      providers,
    );
    return { response, version: organization.version };
  }

  getHierarchy(ctx: RequestContext, scope: OrganizationScope): Promise<HierarchyNode> {
    return this.directory.getHierarchy(ctx, scope);
  }

  private async getParent(ctx: RequestContext, handle: string): Promise<OrganizationScope> {
    const scope = await this.scopes.findScope(ctx, handle);
    if (!scope || !reaches(ctx.caller, scope)) throw new ResourceNotFound('organization', handle);
    return scope;
  }
}
