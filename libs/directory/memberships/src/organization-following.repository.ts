import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type OrganizationFollower, OrganizationFollowers } from '#directory/organizations';
import { DataSource } from 'typeorm';

/** Entries in other organizations of users whose managing organization ($2, of tenant $1) goes or comes back. */
const ELSEWHERE = `e.user_organization_id = ANY($2) AND NOT e.managed`;

/**
 * Keeps directories true when organizations are deleted, restored or purged: users that a deleted organization manages disappear from
 * the other organizations they belong to, and from their counts. All set-based, whatever the number of users.
 */
@Injectable()
export class DirectoryFollowsOrganizationsRepository extends SqlRepository implements OrganizationFollower, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly followers: OrganizationFollowers,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onDeleted(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    await this.moveStatus(ctx, tenantId, ids, `'deleted'`);
  }

  async onRestored(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    await this.moveStatus(ctx, tenantId, ids, 'u.status');
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    const parameters = [tenantId, ids];
    // Users managed here leave every other organization, where they count as deleted since the deletion.
    await this.query(
      ctx,
      `WITH gone AS (
         DELETE FROM directory_entries e USING users u
         WHERE u.tenant_id = $1 AND u.id = e.user_id AND ${ELSEWHERE} RETURNING e.tenant_id, e.organization_id, e.user_id, e.status, e.member
       ), memberships_gone AS (
         DELETE FROM memberships m USING gone g WHERE (m.tenant_id, m.organization_id, m.user_id) = (g.tenant_id, g.organization_id, g.user_id)
       ), roles_gone AS (
         DELETE FROM role_assignments r USING gone g WHERE (r.tenant_id, r.organization_id, r.user_id) = (g.tenant_id, g.organization_id, g.user_id)
         RETURNING r.tenant_id, r.organization_id, r.role_id, r.user_status
       )
       INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT tenant_id, organization_id, 'user', status, -1 FROM gone
       UNION ALL SELECT tenant_id, organization_id, 'member', status, -1 FROM gone WHERE member
       UNION ALL SELECT tenant_id, organization_id, role_id, user_status, -1 FROM roles_gone`,
      parameters,
    );
    for (const table of ['role_assignments', 'memberships', 'directory_entries', 'directory_counts', 'directory_count_deltas']) {
      await this.query(ctx, `DELETE FROM ${table} WHERE tenant_id = $1 AND organization_id = ANY($2)`, parameters);
    }
  }

  /** Gives the entries elsewhere another status (an expression over the user `u`), and the counts with them. */
  private async moveStatus(ctx: RequestContext, tenantId: string, ids: readonly string[], status: string): Promise<void> {
    await this.query(
      ctx,
      `WITH moved AS (
         SELECT e.tenant_id, e.organization_id, e.user_id, e.member, e.status AS old_status, ${status} AS new_status
         FROM directory_entries e JOIN users u ON u.tenant_id = $1 AND u.id = e.user_id WHERE ${ELSEWHERE} AND e.status <> ${status}
       ), entries AS (
         UPDATE directory_entries e SET status = m.new_status FROM moved m
         WHERE (e.tenant_id, e.organization_id, e.user_id) = (m.tenant_id, m.organization_id, m.user_id)
       ), roles AS (
         UPDATE role_assignments r SET user_status = m.new_status FROM moved m
         WHERE (r.tenant_id, r.organization_id, r.user_id) = (m.tenant_id, m.organization_id, m.user_id)
         RETURNING r.tenant_id, r.organization_id, r.role_id, m.old_status, m.new_status
       ), counted AS (
         SELECT tenant_id, organization_id, 'user' AS dimension, old_status, new_status FROM moved
         UNION ALL SELECT tenant_id, organization_id, 'member', old_status, new_status FROM moved WHERE member
         UNION ALL SELECT tenant_id, organization_id, role_id, old_status, new_status FROM roles
       )
       INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT tenant_id, organization_id, dimension, old_status, -1 FROM counted
       UNION ALL SELECT tenant_id, organization_id, dimension, new_status, 1 FROM counted`,
      [tenantId, ids],
    );
  }
}
