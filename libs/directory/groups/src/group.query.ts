import { Injectable } from '@nestjs/common';
import {
  InvalidCursor,
  isId,
  likeLiteral,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
  searchKey,
} from '#platform/common';
import { BaseQuery, changedKey, column, entityRow, row } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import { Group } from './group.entity.js';
import type { OrganizationRef } from './group.repository.js';

export interface GroupFilter {
  readonly search?: string | undefined;
  readonly externalId?: string | undefined;
  /** Only the groups of this user. */
  readonly userId?: string | undefined;
}

const COUNTS_ROW = row({ total: column.integer(), preceding: column.integer() });
const MEMBER_COUNT_ROW = row({ groupId: column.text(), amount: column.integer() });

/** Reads lists of groups and the numbers of their members, and deletes the groups of purged organizations. */
@Injectable()
export class GroupQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns a page of the groups of an organization, newest first. @throws InvalidCursor (400) */
  async list(
    ctx: RequestContext,
    organization: OrganizationRef,
    filter: GroupFilter,
    request: PageRequest,
  ): Promise<Page<Group>> {
    const { after, limit } = request;
    if (after !== undefined && !isId('group', after)) throw new InvalidCursor('group');
    const { where, parameters } = conditionsOf(organization, filter);
    const options = { connection: 'replica', prepared: filter.search === undefined ? undefined : false } as const;
    const values = after === undefined ? parameters : [...parameters, after];
    const cursor = (comparison: '<' | '>=') => (after === undefined ? '' : ` AND t.id ${comparison} $${values.length}`);
    const items = await this.query(
      ctx,
      entityRow(Group),
      `${this.selectOf(Group)} WHERE ${where}${cursor('<')} ORDER BY t.id DESC LIMIT ${limit + 1} OFFSET ${offsetOf(request)}`,
      values,
      options,
    );
    const preceding =
      after === undefined ? `${offsetOf(request)}` : `(SELECT count(*) FROM groups t WHERE ${where}${cursor('>=')})::int`;
    const [counts = { total: 0, preceding: 0 }] = await this.query(
      ctx,
      COUNTS_ROW,
      `SELECT (SELECT count(*) FROM groups t WHERE ${where})::int AS total, ${preceding} AS preceding`,
      values,
      options,
    );
    return pageOf(request, items, counts.total, counts.preceding);
  }

  /** Returns the number of members of each group, without deleted users, by id of the group. */
  async countMembers(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    groupIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (groupIds.length === 0) return new Map();
    const sql = ctx.asOf === undefined ? STORED_COUNTS : COUNTED_MEMBERS;
    const rows = await this.query(ctx, MEMBER_COUNT_ROW, sql, [tenantId, id, groupIds]);
    return new Map(rows.map(({ groupId, amount }) => [groupId, amount]));
  }

  /** Deletes the rows of purged organizations. */
  async deleteByOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    for (const table of ['group_members', 'group_role_assignments', 'groups'] as const) {
      const sql = `DELETE FROM ${table} t WHERE tenant_id = $1 AND organization_id = ANY ($2) RETURNING ${changedKey(table, 't')}`;
      await this.executeRowChanges(ctx, sql, [tenantId, organizationIds]);
    }
  }
}

/** Returns the filter as SQL over the group `t`. $1 is the tenant and $2 the organization. */
function conditionsOf({ tenantId, id }: OrganizationRef, { search, externalId, userId }: GroupFilter) {
  const parameters: unknown[] = [tenantId, id];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const parts = ['t.tenant_id = $1', 't.organization_id = $2'];
  const term = search === undefined ? '' : searchKey(search);
  if (term !== '') parts.push(`t.search_text LIKE ${parameter(`%${likeLiteral(term)}%`)}`);
  if (externalId !== undefined) parts.push(`t.external_id = ${parameter(externalId)}`);
  if (userId !== undefined) {
    parts.push(`t.id IN (SELECT p.group_id FROM group_members p WHERE p.tenant_id = $1 AND p.organization_id = $2
      AND p.user_id = ${parameter(userId)})`);
  }
  return { where: parts.join(' AND '), parameters };
}

/** The stored counts of the directory include the members of each group. */
const STORED_COUNTS = `SELECT dimension AS "groupId", sum(amount)::int AS amount FROM (
    SELECT dimension, amount FROM directory_counts
    WHERE tenant_id = $1 AND organization_id = $2 AND dimension = ANY ($3) AND status <> 'deleted'
    UNION ALL SELECT dimension, amount FROM directory_count_deltas
    WHERE tenant_id = $1 AND organization_id = $2 AND dimension = ANY ($3) AND status <> 'deleted'
  ) counted GROUP BY dimension`;

/** As of a moment, there are no stored counts of groups. */
const COUNTED_MEMBERS = `SELECT p.group_id AS "groupId", count(*)::int AS amount FROM group_members p
  JOIN directory_entries e ON e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = p.user_id AND e.status <> 'deleted'
  WHERE p.tenant_id = $1 AND p.organization_id = $2 AND p.group_id = ANY ($3) GROUP BY p.group_id`;
