import { Injectable } from '@nestjs/common';
import {
  covers,
  DomainError,
  hasPermission,
  organizationOf,
  type OrganizationScope,
  permissionsAt,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import type { Attempt } from '#platform/database';
import { OrganizationCreationService, OrganizationScopeQuery, SessionRequirementsQuery } from '#directory/organizations';
import type { ImportOrganizationRequest } from './import-access.requests.js';
import { LineProblem } from './import-errors.js';
import { failed, type LineOutcome, type OrganizationLine } from './import-plan.js';

/** Creates the organizations that lines of an import describe, below the organization of the import. */
@Injectable()
export class ImportedOrganizationsService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly creation: OrganizationCreationService,
    private readonly sessionRequirements: SessionRequirementsQuery,
  ) {}

  /** Creates the organizations one after the other, because a line can name an earlier one as parent. Returns their outcomes. */
  async import(ctx: RequestContext, lines: readonly OrganizationLine[]): Promise<LineOutcome[]> {
    const outcomes: LineOutcome[] = [];
    for (const line of lines) outcomes.push(await this.importOne(ctx, line));
    return outcomes;
  }

  /** Imports a line. A preview passes `attempt`, which undoes what a failed line wrote. */
  async importOne(
    ctx: RequestContext,
    { line, organization }: OrganizationLine,
    attempt: Attempt = (part) => part(),
  ): Promise<LineOutcome> {
    try {
      const existing = await this.find(ctx, organization.slug);
      if (existing) return { line, status: 'unchanged', id: existing.id };
      const { id } = await attempt(() => this.create(ctx, organization));
      return { line, status: 'created', id };
    } catch (error) {
      if (error instanceof DomainError) return failed(line, error);
      throw error;
    }
  }

  private async create(
    ctx: RequestContext,
    { slug, name, parent: reference }: ImportOrganizationRequest,
  ): Promise<{ id: string }> {
    const root = organizationOf(ctx);
    const parent = reference === undefined ? root : await this.find(ctx, reference);
    if (!parent || !covers(root.id, parent))
      throw new LineProblem(new ResourceNotFound('organization', reference ?? root.id), '/organization/parent');
    if (!hasPermission(permissionsAt(ctx.caller, parent), 'organizations:write'))
      throw new LineProblem(new OrganizationsWriteRequired(parent.slug), '/organization/parent');
    await this.sessionRequirements.assertMet(ctx, [parent]);
    return this.creation.create(ctx, { slug, name, parentId: parent.id });
  }

  /** Returns an organization of the tenant to which the caller has access. */
  private async find(ctx: RequestContext, handle: string): Promise<OrganizationScope | undefined> {
    const scope = (await this.scopes.mapByHandle(ctx, organizationOf(ctx).tenantId, [handle])).get(handle);
    return scope && permissionsAt(ctx.caller, scope).length > 0 ? scope : undefined;
  }
}

class OrganizationsWriteRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(slug: string) {
    super(
      `Creating an organization below "${slug}" requires the permission "organizations:write" there. The caller does not have it.`,
    );
  }
}
