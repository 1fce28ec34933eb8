import { Injectable } from '@nestjs/common';
import { ACTOR_TYPES, HIDDEN_ROLE, Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { builtInRole, OWNER_ROLE_ID, roleNameOf } from '#directory/roles';
import type { AccessReportRowResponse } from './access-report.responses.js';
import {
  AccessReportQuery,
  type AssignmentCursor,
  type ReportedAssignment,
  type ReportedBreakGlass,
  type ReportedGroupRole,
  type ReportedKey,
  type ReportedPerson,
} from './access-report.query.js';

/** Number of lines in a batch. Garbage collection frees small batches in the young generation of the heap. */
const BATCH_SIZE = 500;

/** An organization of a report: the organization itself or an ancestor. */
export interface ReportedOrganization extends Pick<OrganizationScope, 'id' | 'tenantId' | 'name'> {
  readonly inherited: boolean;
  /** Whether the lines contain names, email addresses and times of the last use. */
  readonly showsPeople: boolean;
}

type Row = AccessReportRowResponse;
type Grant = Omit<Row, 'kind' | 'id' | 'email' | 'name' | 'lastUsedAt' | 'assignedBy'>;
type Assigned = Pick<ReportedAssignment, 'assignedByType' | 'assignedById'>;

/** Reads the lines of a report in batches: role assignments by user and role, roles of groups, break-glass access, then API keys. */
@Injectable()
export class AccessReportBatchesService {
  constructor(
    private readonly report: AccessReportQuery,
    private readonly clock: Clock,
  ) {}

  async *read(ctx: RequestContext, organization: ReportedOrganization): AsyncGenerator<Row[]> {
    for (let after: AssignmentCursor | undefined; ;) {
      const assignments = await this.report.listAssignments(ctx, organization, after, BATCH_SIZE);
      after = assignments.at(-1);
      if (assignments.length > 0) yield this.rowsOfUsers(ctx, organization, assignments, assignmentGrant);
      if (assignments.length < BATCH_SIZE) break;
    }
    for (const groupId of await this.report.listGroupsWithRoles(ctx, organization))
      yield* this.readGroup(ctx, organization, groupId);
    const temporary = await this.report.listBreakGlass(ctx, organization);
    if (temporary.length > 0) yield this.rowsOfUsers(ctx, organization, temporary, breakGlassGrant);
    for (let afterId: string | undefined; ;) {
      const keys = await this.report.listKeys(ctx, organization, this.clock.now(), afterId, BATCH_SIZE);
      afterId = keys.at(-1)?.id;
      if (keys.length > 0) yield this.rowsOfKeys(ctx, organization, keys);
      if (keys.length < BATCH_SIZE) return;
    }
  }

  private async *readGroup(ctx: RequestContext, organization: ReportedOrganization, groupId: string): AsyncGenerator<Row[]> {
    for (let after: AssignmentCursor | undefined; ;) {
      const groupRoles = await this.report.listGroupRoles(ctx, organization, groupId, after, BATCH_SIZE);
      after = groupRoles.at(-1);
      if (groupRoles.length > 0) yield await this.rowsOfUsers(ctx, organization, groupRoles, groupRoleGrant);
      if (groupRoles.length < BATCH_SIZE) return;
    }
  }

  private async rowsOfUsers<T extends ReportedAssignment | ReportedBreakGlass>(
    ctx: RequestContext,
    organization: ReportedOrganization,
    entries: readonly T[],
    grantOf: (organization: ReportedOrganization, entry: T) => Grant,
  ): Promise<Row[]> {
    const people = await this.mapPeople(ctx, organization, entries);
    const assigners = await this.mapAssigners(ctx, organization, entries);
    return entries.map((entry) => {
      const person = people.get(entry.userId);
      return {
        kind: 'user',
        id: entry.userId,
        email: person?.email ?? null,
        name: person ? nameOf(person) : null,
        ...grantOf(organization, entry),
        assignedBy: assignerOf(entry, assigners),
        lastUsedAt: person?.lastUsedAt?.toISOString() ?? null,
      };
    });
  }

  private async rowsOfKeys(
    ctx: RequestContext,
    organization: ReportedOrganization,
    keys: readonly ReportedKey[],
  ): Promise<Row[]> {
    const assigners = await this.mapAssigners(ctx, organization, keys);
    return keys.map((key) => ({
      kind: 'api_key',
      id: key.id,
      email: null,
      name: organization.showsPeople ? key.name : null,
      ...grantAt(organization, key.isDisabled ? 'disabled' : 'active', null, key.scopes),
      source: 'scopes',
      assignedBy: assignerOf(key, assigners),
      assignedAt: key.assignedAt.toISOString(),
      expiresAt: key.expiresAt?.toISOString() ?? null,
      lastUsedAt: organization.showsPeople ? (key.lastUsedAt?.toISOString() ?? null) : null,
    }));
  }

  /** Returns the users by id. Guests are in other tenants. */
  private async mapPeople(
    ctx: RequestContext,
    { showsPeople }: ReportedOrganization,
    entries: readonly Pick<ReportedAssignment, 'userId' | 'userTenantId'>[],
  ): Promise<ReadonlyMap<string, ReportedPerson>> {
    const people = new Map<string, ReportedPerson>();
    if (!showsPeople) return people;
    for (const tenantId of new Set(entries.map(({ userTenantId }) => userTenantId))) {
      const ids = entries.filter(({ userTenantId }) => userTenantId === tenantId).map(({ userId }) => userId);
      for (const person of await this.report.listPeople(ctx, tenantId, [...new Set(ids)])) people.set(person.id, person);
    }
    return people;
  }

  /** Returns the assigners who are users of the tenant, by id. */
  private async mapAssigners(
    ctx: RequestContext,
    { tenantId, showsPeople }: ReportedOrganization,
    entries: readonly Assigned[],
  ): Promise<ReadonlyMap<string, ReportedPerson>> {
    const ids = entries.flatMap((entry) => (entry.assignedByType === 'user' && entry.assignedById ? [entry.assignedById] : []));
    if (!showsPeople || ids.length === 0) return new Map();
    return new Map((await this.report.listPeople(ctx, tenantId, [...new Set(ids)])).map((person) => [person.id, person]));
  }
}

function assignmentGrant(organization: ReportedOrganization, assignment: ReportedAssignment): Grant {
  const { roleId, status, assignedAt } = assignment;
  const { permissions } = builtInRole(roleId) ?? assignment;
  const name = roleNameOf(roleId, assignment.roleName);
  const grant = grantAt(organization, status, { id: name === HIDDEN_ROLE ? name : roleId, name }, permissions ?? []);
  return { ...grant, source: 'assignment', assignedAt: assignedAt.toISOString(), expiresAt: null };
}

function groupRoleGrant(organization: ReportedOrganization, entry: ReportedGroupRole): Grant {
  const { groupId, groupName } = entry;
  return { ...assignmentGrant(organization, entry), source: 'group', groupId, group: groupName };
}

function breakGlassGrant(organization: ReportedOrganization, { status, assignedAt, expiresAt }: ReportedBreakGlass): Grant {
  const owner = builtInRole(OWNER_ROLE_ID);
  return {
    ...grantAt(
      organization,
      status ?? 'active',
      { id: OWNER_ROLE_ID, name: owner?.name ?? OWNER_ROLE_ID },
      owner?.permissions ?? [],
    ),
    source: 'break_glass',
    assignedAt: assignedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

const grantAt = (
  { id, name, inherited }: ReportedOrganization,
  status: string,
  role: { readonly id: string; readonly name: string } | null,
  permissions: readonly string[],
) => ({
  status: status as Row['status'],
  roleId: role?.id ?? null,
  role: role?.name ?? null,
  permissions: [...permissions],
  inherited,
  organizationId: id,
  organizationName: name,
  groupId: null,
  group: null,
});

function assignerOf(
  { assignedByType: type, assignedById: id }: Assigned,
  assigners: ReadonlyMap<string, ReportedPerson>,
): Row['assignedBy'] {
  if (type === null) return null;
  // Roles store the type of the actor. Break-glass requests and API keys store the kind of the caller.
  const actorType = ACTOR_TYPES.find((known) => known === type) ?? 'api';
  return { type: actorType, id, email: assigners.get(id ?? '')?.email ?? null };
}

function nameOf({ displayName, firstName, lastName }: ReportedPerson): string | null {
  return displayName ?? ([firstName, lastName].filter((part) => part !== null).join(' ') || null);
}
