import { Injectable } from '@nestjs/common';
import {
  DomainError,
  hasPermission,
  organizationOf,
  type OrganizationScope,
  permissionsAt,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { MembershipRepository } from '#directory/memberships';
import {
  assertActive,
  EffectiveSettingsService,
  OrganizationScopeQuery,
  SessionRequirementsQuery,
} from '#directory/organizations';
import type { VisibleRole } from '#directory/roles';
import type { User } from '../user.entity.js';
import { invalidField, LineProblem } from './import-errors.js';
import type { Candidate } from './import-plan.js';
import type { ImportMembershipRequest } from './import-access.requests.js';
import { ImportedRolesService, type LineRoles, type WantedRole } from './imported-roles.service.js';

/** A membership that a line adds. */
export interface NewMembership extends LineRoles {
  readonly organization: OrganizationScope;
}

/** An organization that lines name, with what all lines need of it. */
interface NamedOrganization {
  readonly scope: OrganizationScope;
  readonly roles: ReadonlyMap<string, VisibleRole>;
  readonly defaultRole: string;
  /** The reason why the caller can't add members, if any. */
  readonly problem: DomainError | undefined;
  readonly memberIds: ReadonlySet<string>;
}

/** Returns the memberships that a line adds to a new or existing user. @throws LineProblem */
export type FindMemberships = (candidate: Candidate, user: User | undefined) => NewMembership[];

/** Finds the memberships in other organizations that the lines of an import add. Reads each organization once. */
@Injectable()
export class ImportedMembershipsService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly sessionRequirements: SessionRequirementsQuery,
    private readonly roles: ImportedRolesService,
    private readonly memberships: MembershipRepository,
  ) {}

  /** Reads and locks what the lines need. `userIds` are the existing users of the lines. */
  async prepare(ctx: RequestContext, candidates: readonly Candidate[], userIds: readonly string[]): Promise<FindMemberships> {
    const requests = candidates.flatMap(({ request }) => request.memberships ?? []);
    const named = requests.length === 0 ? new Map<string, NamedOrganization>() : await this.read(ctx, requests, userIds);
    return ({ request }, user) => {
      const added = new Map<string, NewMembership>();
      for (const [index, membership] of (request.memberships ?? []).entries()) {
        const pointer = `/memberships/${index}`;
        const organization = this.organizationOf(ctx, named, membership.organization, pointer);
        if (added.has(organization.scope.id))
          throw invalidField(
            `${pointer}/organization`,
            'duplicate_item',
            `The line names the organization "${membership.organization}" twice.`,
          );
        if (user && organization.memberIds.has(user.id)) continue;
        if (organization.problem) throw new LineProblem(organization.problem, `${pointer}/organization`);
        const lineRoles = this.roles.rolesOf(
          ctx,
          organization.scope,
          organization.roles,
          wantedRoles(membership, organization, pointer),
        );
        added.set(organization.scope.id, { organization: organization.scope, ...lineRoles });
      }
      return [...added.values()];
    };
  }

  private organizationOf(
    ctx: RequestContext,
    named: ReadonlyMap<string, NamedOrganization>,
    reference: string,
    pointer: string,
  ): NamedOrganization {
    const organization = named.get(reference);
    if (!organization) throw new LineProblem(new ResourceNotFound('organization', reference), `${pointer}/organization`);
    if (organization.scope.id === organizationOf(ctx).id) {
      const message = 'This is the organization of the import. Use the field roles for the roles of the user there.';
      throw invalidField(`${pointer}/organization`, 'invalid_combination', message);
    }
    return organization;
  }

  /** Returns the organizations to which the caller has access, by the given ids and slugs. */
  private async read(
    ctx: RequestContext,
    requests: readonly ImportMembershipRequest[],
    userIds: readonly string[],
  ): Promise<Map<string, NamedOrganization>> {
    const { tenantId } = organizationOf(ctx);
    const byHandle = await this.scopes.mapByHandle(
      ctx,
      tenantId,
      requests.map(({ organization }) => organization),
    );
    const reached = [...byHandle].filter(([, scope]) => permissionsAt(ctx.caller, scope).length > 0);
    // In the same order as concurrent imports, because roles are locked.
    const scopes = [...new Map(reached.map(([, scope]) => [scope.id, scope])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const settings = await this.settings.getMany(ctx, scopes);
    const memberIds = await this.readMembers(ctx, tenantId, scopes, userIds);
    const problems = await this.findProblems(ctx, scopes);
    const byId = new Map<string, NamedOrganization>();
    for (const scope of scopes) {
      const defaultRole = settings.get(scope.id)?.values.defaultRole ?? '';
      const inScope = requests.filter(({ organization }) => byHandle.get(organization)?.id === scope.id);
      const references = inScope.flatMap(({ role = defaultRole, roles = [] }) => [role, ...roles]);
      byId.set(scope.id, {
        scope,
        roles: await this.roles.lock(ctx, scope, references),
        defaultRole,
        problem: problems.get(scope.id),
        memberIds: memberIds.get(scope.id) ?? new Set(),
      });
    }
    return new Map(reached.flatMap(([handle, { id }]) => [[handle, byId.get(id)!] as const]));
  }

  private async readMembers(
    ctx: RequestContext,
    tenantId: string,
    scopes: readonly OrganizationScope[],
    userIds: readonly string[],
  ): Promise<Map<string, Set<string>>> {
    const members = new Map<string, Set<string>>(scopes.map(({ id }) => [id, new Set()]));
    if (scopes.length === 0 || userIds.length === 0) return members;
    const memberships = await this.memberships.listOfUsers(ctx, tenantId, [...members.keys()], userIds);
    for (const { organizationId, userId } of memberships) members.get(organizationId)?.add(userId);
    return members;
  }

  /** Returns why the caller can't add members to organizations, by the id of the organization. */
  private async findProblems(ctx: RequestContext, scopes: readonly OrganizationScope[]): Promise<Map<string, DomainError>> {
    const problems = new Map<string, DomainError>();
    const check = async (scope: OrganizationScope): Promise<void> => {
      if (!hasPermission(permissionsAt(ctx.caller, scope), 'members:write')) throw new MembersWriteRequired(scope.slug);
      assertActive(scope);
      await this.sessionRequirements.assertMet(ctx, [scope]);
    };
    for (const scope of scopes) {
      const problem = await check(scope).catch((error: unknown) => error);
      if (problem instanceof DomainError) problems.set(scope.id, problem);
      else if (problem !== undefined) throw problem;
    }
    return problems;
  }
}

class MembersWriteRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(slug: string) {
    super(
      `Adding members to the organization "${slug}" requires the permission "members:write" there. The caller does not have it.`,
    );
  }
}

function wantedRoles(
  { role, roles = [] }: ImportMembershipRequest,
  { defaultRole }: NamedOrganization,
  pointer: string,
): readonly [WantedRole, ...WantedRole[]] {
  const first = role === undefined ? { reference: defaultRole } : { reference: role, pointer: `${pointer}/role` };
  return [first, ...roles.map((reference, index) => ({ reference, pointer: `${pointer}/roles/${index}` }))];
}
