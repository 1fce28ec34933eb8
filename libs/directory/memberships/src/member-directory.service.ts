import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import type { GainAuthorization, LossAuthorization, ReplacementAuthorization } from '#directory/privileges';
import { OWNER_ROLE_ID } from '#directory/roles';
import { type CountDelta, DirectoryCountsQuery } from './directory-counts.query.js';
import type { DirectoryEntry } from './directory-entry.entity.js';
import { DirectoryEntryRepository } from './directory-entry.repository.js';
import { type DirectoryUser, entryColumns } from './directory-user.js';
import type { Membership } from './membership.entity.js';
import { MembershipRepository } from './membership.repository.js';
import { OwnersService } from './owners.service.js';
import { assignedBy, type RoleAssignment } from './role-assignment.entity.js';
import { RoleAssignmentRepository } from './role-assignment.repository.js';

/**
 * Writes the rows of a member consistently: membership, role assignments, directory entry and counts. All methods run in the caller's
 * transaction, and the caller has locked the user.
 */
@Injectable()
export class MemberDirectoryService {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly assignments: RoleAssignmentRepository,
    private readonly entries: DirectoryEntryRepository,
    private readonly counts: DirectoryCountsQuery,
    private readonly owners: OwnersService,
    private readonly clock: Clock,
  ) {}

  /** Adds a user as a member. `entry` is the directory entry of a user that the organization manages. */
  async add(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    { roleId, entry, gain }: { readonly roleId: string; readonly entry: DirectoryEntry | null; readonly gain: GainAuthorization },
  ): Promise<Membership> {
    const now = this.clock.now();
    const key = keyOf(organization, user);
    const membership = { ...key, userTenantId: user.tenantId, roleId, announced: true, joinedAt: now, updatedAt: now };
    this.memberships.insertAllDeferred(ctx, [membership], gain);
    const assignment = { ...key, roleId, explicit: false, userStatus: user.status, assignedAt: now, ...assignedBy(ctx) };
    this.assignments.insertAllDeferred(ctx, [assignment], gain);
    if (entry) await this.entries.save(ctx, { ...entry, member: true });
    else this.entries.insertAllDeferred(ctx, [{ ...key, managed: false, member: true, ...entryColumns(user) }]);
    this.count(ctx, organization, user, ['member', ...(entry ? [] : ['user']), roleId], 1);
    return membership;
  }

  /** Removes a member and all roles of the member. @throws LastOwner (409) */
  async remove(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    loss: LossAuthorization,
  ): Promise<void> {
    await this.owners.assertOtherRemains(ctx, user, organization);
    const assignments = await this.assignments.listOfUsers(ctx, organization, [user.id]);
    await this.memberships.delete(ctx, organization, user.id, loss);
    await this.assignments.deleteOfMember(ctx, organization, user.id, loss);
    const entry = await this.entries.find(ctx, organization, user.id);
    if (!entry) throw new Error(`The member ${user.id} has no directory entry.`);
    if (entry.managed) await this.entries.save(ctx, { ...entry, member: false });
    else await this.entries.delete(ctx, entry);
    const roleIds = assignments.map(({ roleId }) => roleId);
    this.count(ctx, organization, user, ['member', ...(entry.managed ? [] : ['user']), ...roleIds], -1);
  }

  /** Assigns an additional role that the member does not have yet. */
  assignRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    roleId: string,
    gain: GainAuthorization,
  ): RoleAssignment {
    const assignment = this.insertAssignment(ctx, organization, user, { roleId, explicit: true }, gain);
    this.count(ctx, organization, user, [roleId], 1);
    return assignment;
  }

  /** Marks the role of a membership as an additional role, which the member keeps when the role of the membership changes. */
  async makeExplicit(ctx: RequestContext, assignment: RoleAssignment, gain: GainAuthorization): Promise<void> {
    await this.assignments.save(ctx, { ...assignment, explicit: true }, gain);
  }

  findRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    roleId: string,
  ): Promise<RoleAssignment | null> {
    return this.assignments.find(ctx, organization, user.id, roleId);
  }

  /** Revokes a role that is not the role of the membership. @throws LastOwner (409) */
  async revokeRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    assignment: RoleAssignment,
    loss: LossAuthorization,
  ): Promise<void> {
    if (assignment.roleId === OWNER_ROLE_ID) await this.owners.assertOtherRemains(ctx, user, organization);
    await this.assignments.delete(ctx, assignment, loss);
    this.count(ctx, organization, user, [assignment.roleId], -1);
  }

  /** Reverts `makeExplicit`: the member loses the role when the role of the membership changes. */
  async makeImplicit(ctx: RequestContext, assignment: RoleAssignment, loss: LossAuthorization): Promise<void> {
    if (assignment.explicit) await this.assignments.save(ctx, { ...assignment, explicit: false }, loss);
  }

  /**
   * Replaces the role of a membership. `isPreviousRevoked` is false if the member keeps the previous role as an additional role.
   * `isNewAssigned` is false if the member already had the new role.
   * @throws LastOwner (409)
   */
  async replaceRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    { previousRoleId, membership }: { readonly previousRoleId: string; readonly membership: Membership },
    { gain, loss }: ReplacementAuthorization,
  ): Promise<{ isPreviousRevoked: boolean; isNewAssigned: boolean }> {
    await this.memberships.save(ctx, membership, gain);
    const { roleId } = membership;
    if (previousRoleId === roleId) return { isPreviousRevoked: false, isNewAssigned: false };
    const previous = await this.assignments.find(ctx, organization, user.id, previousRoleId);
    const isPreviousRevoked = previous !== null && !previous.explicit;
    if (isPreviousRevoked) await this.revokeRole(ctx, organization, user, previous, loss);
    const isNewAssigned = (await this.assignments.find(ctx, organization, user.id, roleId)) === null;
    if (isNewAssigned) {
      this.insertAssignment(ctx, organization, user, { roleId, explicit: false }, gain);
      this.count(ctx, organization, user, [roleId], 1);
    }
    return { isPreviousRevoked, isNewAssigned };
  }

  private insertAssignment(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    values: Pick<RoleAssignment, 'roleId' | 'explicit'>,
    gain: GainAuthorization,
  ): RoleAssignment {
    const key = keyOf(organization, user);
    const assignment = { ...key, ...values, userStatus: user.status, assignedAt: this.clock.now(), ...assignedBy(ctx) };
    this.assignments.insertAllDeferred(ctx, [assignment], gain);
    return assignment;
  }

  /** Adds `amount` to the counts of the dimensions, for the status of the user. */
  private count(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    { status }: DirectoryUser,
    dimensions: readonly string[],
    amount: number,
  ): void {
    const deltas = dimensions.map((dimension): CountDelta => ({ tenantId, organizationId, dimension, status, amount }));
    this.counts.insertDeferred(ctx, deltas);
  }
}

const keyOf = ({ tenantId, id }: OrganizationScope, user: DirectoryUser) => ({ tenantId, organizationId: id, userId: user.id });
