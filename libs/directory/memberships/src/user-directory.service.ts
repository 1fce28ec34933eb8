import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { type GainAuthorization, unneeded } from '#directory/privileges';
import type { VisibleRole } from '#directory/roles';
import { type CountDelta, DirectoryCountsQuery } from './directory-counts.query.js';
import { DirectoryEntriesQuery } from './directory-entries.query.js';
import { DirectoryEntryRepository } from './directory-entry.repository.js';
import { type DirectoryUser, entryColumns, type UserInTenants } from './directory-user.js';
import { MembershipRepository } from './membership.repository.js';
import { assignedBy } from './role-assignment.entity.js';
import { RoleAssignmentRepository } from './role-assignment.repository.js';

/** A new user with roles. The first role is the role of the membership. */
export interface NewMember {
  readonly user: DirectoryUser;
  readonly roles: readonly [VisibleRole, ...VisibleRole[]];
}

/** Copies changes of users to directories, counts and role assignments. All methods run in the caller's transaction. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly assignments: RoleAssignmentRepository,
    private readonly entries: DirectoryEntryRepository,
    private readonly entriesQuery: DirectoryEntriesQuery,
    private readonly counts: DirectoryCountsQuery,
    private readonly clock: Clock,
  ) {}

  /** Returns whether the directory of an organization contains a user who is not deleted. */
  async includes(ctx: RequestContext, organization: OrganizationScope, userId: string): Promise<boolean> {
    const entry = await this.entries.find(ctx, organization, userId);
    return entry !== null && entry.status !== 'deleted';
  }

  /** Adds a new user to the managing organization as a member. */
  add(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    roles: readonly [VisibleRole, ...VisibleRole[]],
    gain: GainAuthorization,
  ): void {
    this.addAll(ctx, organization, [{ user, roles }], { gain, managed: true });
  }

  /** Adds users who are not in the directory of the organization as members. `managed` is whether the organization manages them. */
  addAll(
    ctx: RequestContext,
    organization: OrganizationScope,
    members: readonly NewMember[],
    { gain, managed }: { readonly gain: GainAuthorization; readonly managed: boolean },
  ): void {
    if (members.length === 0) return;
    this.insertRows(ctx, organization, members, { gain, managed });
    const amounts = new Map<string, CountDelta>();
    for (const { user, roles } of members) {
      for (const dimension of ['user', 'member', ...roles.map((role) => role.id)]) {
        const key = `${dimension} ${user.status}`;
        const amount = (amounts.get(key)?.amount ?? 0) + 1;
        const { tenantId, id: organizationId } = organization;
        amounts.set(key, { tenantId, organizationId, dimension, status: user.status, amount });
      }
    }
    this.counts.insertDeferred(ctx, [...amounts.values()]);
  }

  /** Copies changed names and email addresses of users to all directories. Must not run after a change of the status. */
  async updateNames(ctx: RequestContext, users: readonly DirectoryUser[]): Promise<void> {
    if (users.length > 0) await this.entriesQuery.updateNames(ctx, users);
  }

  /** Copies a changed user to all directories of the user, and updates the counts. `previousStatus` is the status before the change. */
  async update(ctx: RequestContext, user: DirectoryUser, previousStatus: string): Promise<void> {
    if (user.status !== previousStatus) await this.counts.moveStatus(ctx, user, previousStatus, user.status);
    await this.entries.updateOfUser(ctx, user);
    await this.assignments.updateUserStatus(ctx, user, user.status);
  }

  async recordSignIn(ctx: RequestContext, user: UserInTenants, at: Date): Promise<void> {
    await this.entries.recordSignIn(ctx, user, at);
  }

  /** Removes a user from all organizations permanently. */
  async remove(ctx: RequestContext, user: DirectoryUser): Promise<void> {
    const loss = unneeded<'loss'>('user_deleted_permanently');
    await this.counts.removeUser(ctx, user, user.status);
    await this.assignments.deleteOfUser(ctx, user, loss);
    await this.entriesQuery.deleteGroupMemberships(ctx, user);
    await this.memberships.deleteOfUser(ctx, user, loss);
    await this.entries.deleteOfUser(ctx, user);
    await this.entriesQuery.deleteBreakGlassRequests(ctx, user);
  }

  private insertRows(
    ctx: RequestContext,
    { tenantId, id }: OrganizationScope,
    members: readonly NewMember[],
    { gain, managed }: { readonly gain: GainAuthorization; readonly managed: boolean },
  ): void {
    const now = this.clock.now();
    const keyOf = (user: DirectoryUser) => ({ tenantId, organizationId: id, userId: user.id });
    // The creation of a user announces the membership in the managing organization.
    const announced = !managed;
    const memberships = members.map(({ user, roles: [role] }) => ({
      ...keyOf(user),
      userTenantId: tenantId,
      roleId: role.id,
      announced,
      joinedAt: now,
      updatedAt: now,
    }));
    const assignments = members.flatMap(({ user, roles }) =>
      roles.map((role, index) => ({
        ...keyOf(user),
        roleId: role.id,
        explicit: index > 0,
        userStatus: user.status,
        assignedAt: now,
        ...assignedBy(ctx),
      })),
    );
    const entries = members.map(({ user }) => ({ ...keyOf(user), managed, member: true, ...entryColumns(user) }));
    this.memberships.insertAllDeferred(ctx, memberships, gain);
    this.assignments.insertAllDeferred(ctx, assignments, gain);
    this.entries.insertAllDeferred(ctx, entries);
  }
}
