import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#common';
import { BaseRepository } from '#database';
import type { VisibleRole } from '#roles';
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
export class MembershipRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  find(ctx: RequestContext, place: Place, userId: string): Promise<Membership | null> {
    return this.rows(ctx, Membership).findOneBy({ tenantId: place.tenantId, organizationId: place.id, userId });
  }

  async insert(ctx: RequestContext, membership: Membership): Promise<void> {
    await this.rows(ctx, Membership).insert(membership);
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
    return this.rows(ctx, RoleAssignment).findOneBy({ tenantId: place.tenantId, organizationId: place.id, userId, roleId });
  }

  async saveAssignment(ctx: RequestContext, assignment: RoleAssignment): Promise<void> {
    await this.rows(ctx, RoleAssignment).save(assignment);
  }

  async insertAssignments(ctx: RequestContext, assignments: RoleAssignment[]): Promise<void> {
    await this.rows(ctx, RoleAssignment).insert(assignments);
  }

  async removeAssignment(ctx: RequestContext, { tenantId, organizationId, userId, roleId }: RoleAssignment): Promise<void> {
    await this.rows(ctx, RoleAssignment).delete({ tenantId, organizationId, userId, roleId });
  }

  findEntry(ctx: RequestContext, place: Place, userId: string): Promise<DirectoryEntry | null> {
    return this.rows(ctx, DirectoryEntry).findOneBy({ tenantId: place.tenantId, organizationId: place.id, userId });
  }

  async insertEntry(ctx: RequestContext, entry: DirectoryEntry): Promise<void> {
    await this.rows(ctx, DirectoryEntry).insert(entry);
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

  /** Memberships, role assignments and directory entries of new users of one organization, a statement for each table. */
  async insertAdmitted(ctx: RequestContext, place: Place, admitted: readonly Admission[], at: Date): Promise<void> {
    const users = admitted.map(({ user, roles }) => ({
      user_id: user.id,
      role_id: roles[0].id,
      status: user.status,
      email_key: emailKey(user.email),
      search_text: userSearchText(user),
    }));
    const assignments = admitted.flatMap(({ user, roles }) =>
      roles.map((role, index) => ({ user_id: user.id, role_id: role.id, explicit: index > 0, status: user.status })),
    );
    const json = JSON.stringify(users);
    await this.query(
      ctx,
      `INSERT INTO memberships (tenant_id, organization_id, user_id, user_tenant_id, role_id, announced, joined_at, updated_at)
       SELECT $2, $3, r.user_id, $2, r.role_id, false, $4::timestamptz, $4::timestamptz FROM json_to_recordset($1::json) AS r (user_id text, role_id text)`,
      [json, place.tenantId, place.id, at],
    );
    await this.query(
      ctx,
      `INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
       SELECT $2, $3, r.user_id, r.role_id, r.explicit, r.status, $4::timestamptz
       FROM json_to_recordset($1::json) AS r (user_id text, role_id text, explicit boolean, status text)`,
      [JSON.stringify(assignments), place.tenantId, place.id, at],
    );
    await this.query(
      ctx,
      `INSERT INTO directory_entries (tenant_id, organization_id, user_id, user_tenant_id, user_organization_id, managed, member,
         status, email_key, search_text)
       SELECT $2, $3, r.user_id, $2, $3, true, true, r.status, r.email_key, r.search_text
       FROM json_to_recordset($1::json) AS r (user_id text, status text, email_key text, search_text text)`,
      [json, place.tenantId, place.id],
    );
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
