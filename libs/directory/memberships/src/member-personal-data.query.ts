import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { builtInRole } from '#directory/roles';
import { DataSource } from 'typeorm';

const IN_ORGANIZATION = {
  organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
  organizationName: field.text('Name of the organization.', 'Acme'),
  roleId: field.text('Id of the role.', 'role_member'),
  role: field.text('Name of the role.', 'member'),
};

const MEMBERSHIPS = definePersonalData('memberships', {
  description: 'Memberships, with the role of the membership.',
  tables: ['memberships'],
  fields: {
    ...IN_ORGANIZATION,
    joinedAt: field.time('Time at which the user became a member.'),
    updatedAt: field.time('Time of the last change.'),
  },
});

const ROLES = definePersonalData('roles', {
  description: 'Assigned roles, including the roles of memberships.',
  tables: ['role_assignments'],
  fields: {
    ...IN_ORGANIZATION,
    assignedAt: field.time('Time of the assignment.'),
    assignedByType: field.nullableText('Kind of the actor who assigned the role, or null if unknown.', 'user'),
    assignedById: field.nullableText('Id of this actor.', 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw'),
  },
});

/** Joins the organization and the role of the row `m` of user $2 in tenant $1. $3 are the organizations of the export, or null for all. */
const JOINS = `JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
  LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
  WHERE m.tenant_id = $1 AND m.user_id = $2 AND ($3::text[] IS NULL OR o.id = ANY ($3) OR o.ancestor_ids && $3)`;
const COLUMNS = `m.organization_id AS "organizationId", o.name AS "organizationName", m.role_id AS "roleId", coalesce(r.name, m.role_id) AS role`;

/** Reads the memberships and roles of a user for the export of the user. */
@Injectable()
export class MemberPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(MEMBERSHIPS, (ctx, subject) => this.listMemberships(ctx, subject));
    this.sources.register(ROLES, (ctx, subject) => this.listRoles(ctx, subject));
  }

  private async listMemberships(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof MEMBERSHIPS.row>[]> {
    const rows: RowOf<typeof MEMBERSHIPS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const sql = `SELECT ${COLUMNS}, m.joined_at AS "joinedAt", m.updated_at AS "updatedAt" FROM memberships m ${JOINS} ORDER BY m.organization_id`;
      rows.push(...(await this.query(ctx, MEMBERSHIPS.row, sql, [tenantId, subject.id, subject.organizationIds])));
    }
    return rows.map(withRoleName);
  }

  private async listRoles(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof ROLES.row>[]> {
    const rows: RowOf<typeof ROLES.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const sql = `SELECT ${COLUMNS}, m.assigned_at AS "assignedAt", m.assigned_by_type AS "assignedByType", m.assigned_by_id AS "assignedById"
        FROM role_assignments m ${JOINS} ORDER BY m.organization_id, m.role_id`;
      rows.push(...(await this.query(ctx, ROLES.row, sql, [tenantId, subject.id, subject.organizationIds])));
    }
    return rows.map(withRoleName);
  }
}

const withRoleName = <R extends { roleId: string; role: string }>(row: R): R => ({
  ...row,
  role: builtInRole(row.roleId)?.name ?? row.role,
});
