import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { VisibleRole } from '#directory/roles';
import { DataSource, In } from 'typeorm';
import { DirectoryEntry } from './directory-entry.entity.js';
import { type DirectoryUser, entryColumns, userSearchText } from './directory-user.js';
import { Membership } from './membership.entity.js';
import { RoleAssignment } from './role-assignment.entity.js';

/** A new user with the roles it begins with; the first is the membership's own. */
export interface Admission {
  readonly user: DirectoryUser;
  readonly roles: readonly [VisibleRole, ...VisibleRole[]];
}

type Place = Pick<OrganizationScope, 'id' | 'tenantId'>;

/** Memberships, role assignments and directory entries: three tables that only change together. */
@Injectable()
export class MembershipRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  find(ctx: RequestContext, place: Place, userId: string): Promise<Membership | null> {
    return this.findRow(ctx, Membership, { tenantId: place.tenantId, organizationId: place.id, userId });
  }

  /** At the latest with the commit, like the other inserts here. */
  insert(ctx: RequestContext, membership: Membership): void {
    this.insertLater(ctx, Membership, [membership]);
  }

  async save(ctx: RequestContext, membership: Membership): Promise<void> {
    await this.rows(ctx, Membership).save(membership);
  }

  async remove(ctx: RequestContext, place: Place, userId: string): Promise<void> {
    const key = { tenantId: place.tenantId, organizationId: place.id, userId };
    await this.rows(ctx, Membership).delete(key);
    await this.rows(ctx, RoleAssignment).delete(key);
  }

  /** All roles of several users in one organization, in one query; the longest held first. */
  assignmentsOf(ctx: RequestContext, place: Place, userIds: readonly string[]): Promise<RoleAssignment[]> {
    return this.rows(ctx, RoleAssignment).find({
      where: { tenantId: place.tenantId, organizationId: place.id, userId: In([...userIds]) },
      order: { assignedAt: 'ASC', roleId: 'ASC' },
    });
  }

  findAssignment(ctx: RequestContext, place: Place, userId: string, roleId: string): Promise<RoleAssignment | null> {
    return this.findRow(ctx, RoleAssignment, { tenantId: place.tenantId, organizationId: place.id, userId, roleId });
  }

  async saveAssignment(ctx: RequestContext, assignment: RoleAssignment): Promise<void> {
    await this.rows(ctx, RoleAssignment).save(assignment);
  }

  insertAssignments(ctx: RequestContext, assignments: RoleAssignment[]): void {
    this.insertLater(ctx, RoleAssignment, assignments);
  }

  async removeAssignment(ctx: RequestContext, { tenantId, organizationId, userId, roleId }: RoleAssignment): Promise<void> {
    await this.rows(ctx, RoleAssignment).delete({ tenantId, organizationId, userId, roleId });
  }

  findEntry(ctx: RequestContext, place: Place, userId: string): Promise<DirectoryEntry | null> {
    return this.findRow(ctx, DirectoryEntry, { tenantId: place.tenantId, organizationId: place.id, userId });
  }

  insertEntry(ctx: RequestContext, entry: DirectoryEntry): void {
    this.insertLater(ctx, DirectoryEntry, [entry]);
  }

  async saveEntry(ctx: RequestContext, entry: DirectoryEntry): Promise<void> {
    await this.rows(ctx, DirectoryEntry).save(entry);
  }

  async removeEntry(ctx: RequestContext, { tenantId, organizationId, userId }: DirectoryEntry): Promise<void> {
    await this.rows(ctx, DirectoryEntry).delete({ tenantId, organizationId, userId });
  }

  /** Copies what changed of a user to every directory that shows it. */
  async refreshEntries(ctx: RequestContext, user: DirectoryUser): Promise<void> {
    await this.rows(ctx, DirectoryEntry).update({ userId: user.id }, entryColumns(user));
    await this.query(ctx, 'UPDATE role_assignments SET user_status = $2 WHERE user_id = $1 AND user_status <> $2', [
      user.id,
      user.status,
    ]);
  }

  /** Memberships, role assignments and directory entries of new users of one organization. */
  insertAdmitted(ctx: RequestContext, place: Place, admitted: readonly Admission[], at: Date): void {
    const keyOf = (user: DirectoryUser) => ({ tenantId: place.tenantId, organizationId: place.id, userId: user.id });
    const memberships = admitted.map(({ user, roles: [role] }) => ({
      ...keyOf(user),
      userTenantId: place.tenantId,
      roleId: role.id,
      announced: false,
      joinedAt: at,
      updatedAt: at,
    }));
    const assignments = admitted.flatMap(({ user, roles }) =>
      roles.map((role, index) => ({
        ...keyOf(user),
        roleId: role.id,
        explicit: index > 0,
        userStatus: user.status,
        assignedAt: at,
      })),
    );
    const entries = admitted.map(({ user }) => ({ ...keyOf(user), managed: true, member: true, ...entryColumns(user) }));
    this.insertLater(ctx, Membership, memberships);
    this.insertLater(ctx, RoleAssignment, assignments);
    this.insertLater(ctx, DirectoryEntry, entries);
  }

  /** Copies what changed of many users, but not their status, to every directory that shows them. */
  async refreshAllEntries(ctx: RequestContext, users: readonly DirectoryUser[]): Promise<void> {
    const rows = users.map((user) => ({ user_id: user.id, email_key: emailKey(user.email), search_text: userSearchText(user) }));
    await this.query(
      ctx,
      `UPDATE directory_entries e SET email_key = r.email_key, search_text = r.search_text
       FROM json_to_recordset($1::json) AS r (user_id text, email_key text, search_text text) WHERE e.user_id = r.user_id`,
      [JSON.stringify(rows)],
    );
  }

  /** Writes the time of a sign-in to every directory that shows the user. */
  async noteSignIn(ctx: RequestContext, userId: string, at: Date): Promise<void> {
    await this.query(ctx, 'UPDATE directory_entries SET last_login_at = $2 WHERE user_id = $1', [userId, at]);
  }

  /** Takes a user out of every organization. */
  async removeUser(ctx: RequestContext, userId: string): Promise<void> {
    await this.rows(ctx, RoleAssignment).delete({ userId });
    await this.rows(ctx, Membership).delete({ userId });
    await this.rows(ctx, DirectoryEntry).delete({ userId });
  }
}
