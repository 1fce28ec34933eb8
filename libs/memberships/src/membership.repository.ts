import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource, In } from 'typeorm';
import { DirectoryEntry } from './directory-entry.entity.js';
import { type DirectoryUser, entryColumns } from './directory-user.js';
import { Membership } from './membership.entity.js';
import { RoleAssignment } from './role-assignment.entity.js';

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

  /** Takes a user out of every organization. */
  async removeUser(ctx: RequestContext, userId: string): Promise<void> {
    await this.rows(ctx, RoleAssignment).delete({ userId });
    await this.rows(ctx, Membership).delete({ userId });
    await this.rows(ctx, DirectoryEntry).delete({ userId });
  }
}
