import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { Connection } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import { filterToSql, type SqlAttributes } from '../protocol/filter-sql.js';
import { GROUP_TYPE } from '../protocol/schemas.js';

const text = column.text();

const GROUP_ROW = row({
  id: text,
  displayName: text,
  externalId: column.nullable(text),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
  version: column.integer(),
});

const MEMBERS_ROW = row({
  groupId: text,
  count: column.integer(),
  lastAddedAt: column.timestamp(),
});
const MEMBER_ROW = row({ groupId: text, value: text });
const ID_ROW = row({ id: text });
const TOTAL_ROW = row({ total: column.integer() });

/** A group that a connection manages. */
export type GroupRecord = RowOf<typeof GROUP_ROW>;
export type MemberRecord = RowOf<typeof MEMBER_ROW>;
export type MembersSummary = RowOf<typeof MEMBERS_ROW>;

/** $1 is the tenant and $2 the connection. */
const FROM = 'FROM groups g WHERE g.tenant_id = $1 AND g.managed_by = $2';

const SELECT = `SELECT g.id, g.name AS "displayName", g.external_id AS "externalId", g.created_at AS "createdAt",
  g.updated_at AS "updatedAt", g.version ${FROM}`;

const MEMBERS = `FROM group_members p
  JOIN directory_entries e ON e.tenant_id = $1 AND e.organization_id = p.organization_id AND e.user_id = p.user_id
  WHERE p.tenant_id = $1 AND p.group_id = ANY ($2) AND e.status <> 'deleted'`;

/** Reads the groups that a connection manages, and their members. */
@Injectable()
export class ScimGroupsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async find(ctx: RequestContext, connection: Connection, id: string): Promise<GroupRecord | undefined> {
    const [record] = await this.query(ctx, GROUP_ROW, `${SELECT} AND g.id = $3`, [connection.tenantId, connection.id, id]);
    return record;
  }

  /** Locks and returns a group until the transaction ends. */
  async lock(ctx: RequestContext, connection: Connection, id: string): Promise<GroupRecord | undefined> {
    const parameters = [connection.tenantId, connection.id, id];
    const [record] = await this.query(ctx, GROUP_ROW, `${SELECT} AND g.id = $3 FOR UPDATE`, parameters);
    return record;
  }

  async list(
    ctx: RequestContext,
    connection: Connection,
    filter: Filter | undefined,
    part: { readonly after?: string; readonly offset?: number; readonly limit: number },
  ): Promise<GroupRecord[]> {
    const { parameters, condition } = conditionOf(connection, filter);
    const after = part.after === undefined ? '' : ` AND g.id > $${parameters.push(part.after)}`;
    const page = `ORDER BY g.id LIMIT $${parameters.push(part.limit)} OFFSET $${parameters.push(part.offset ?? 0)}`;
    return this.query(ctx, GROUP_ROW, `${SELECT}${condition}${after} ${page}`, parameters);
  }

  async count(ctx: RequestContext, connection: Connection, filter: Filter | undefined): Promise<number> {
    const { parameters, condition } = conditionOf(connection, filter);
    const [counted] = await this.query(ctx, TOTAL_ROW, `SELECT count(*)::int AS total ${FROM}${condition}`, parameters);
    return counted?.total ?? 0;
  }

  /** Returns the number of members of each group that has some, and when the last one was added. */
  summarizeMembers(ctx: RequestContext, { tenantId }: Connection, groupIds: readonly string[]): Promise<MembersSummary[]> {
    return this.query(
      ctx,
      MEMBERS_ROW,
      `SELECT p.group_id AS "groupId", count(*)::int AS count, max(p.added_at) AS "lastAddedAt" ${MEMBERS} GROUP BY p.group_id`,
      [tenantId, groupIds],
    );
  }

  listMembers(ctx: RequestContext, { tenantId }: Connection, groupIds: readonly string[]): Promise<MemberRecord[]> {
    return this.query(
      ctx,
      MEMBER_ROW,
      `SELECT p.group_id AS "groupId", p.user_id AS value
       FROM group_members p JOIN users u ON u.tenant_id = $1 AND u.id = p.user_id AND u.status <> 'deleted'
       WHERE p.tenant_id = $1 AND p.group_id = ANY ($2) ORDER BY p.group_id, p.user_id`,
      [tenantId, groupIds],
    );
  }

  async listMemberIds(ctx: RequestContext, { tenantId }: Connection, groupId: string): Promise<string[]> {
    const sql = 'SELECT p.user_id AS id FROM group_members p WHERE p.tenant_id = $1 AND p.group_id = $2 ORDER BY p.user_id';
    return (await this.query(ctx, ID_ROW, sql, [tenantId, groupId])).map(({ id }) => id);
  }
}

function conditionOf(connection: Connection, filter: Filter | undefined): { parameters: unknown[]; condition: string } {
  const parameters: unknown[] = [connection.tenantId, connection.id];
  const condition = filter ? ` AND (${filterToSql(filter, GROUP_ATTRIBUTES, (value) => `$${parameters.push(value)}`)})` : '';
  return { parameters, condition };
}

const COLUMNS: Readonly<Record<string, string>> = {
  id: 'g.id',
  externalid: 'g.external_id',
  displayname: 'g.name',
  'meta.created': 'g.created_at',
  'meta.lastmodified': 'g.updated_at',
  'meta.resourcetype': `'Group'`,
};

const GROUP_ATTRIBUTES: SqlAttributes = {
  type: GROUP_TYPE,
  single: (path) => (COLUMNS[path] === undefined ? undefined : { sql: COLUMNS[path] }),
  list: (name) =>
    name === 'members'
      ? {
          from: 'group_members p WHERE p.tenant_id = $1 AND p.group_id = g.id',
          value: (sub) => ({ value: { sql: 'p.user_id' }, type: { sql: `'User'` } })[sub as 'value' | 'type'],
        }
      : undefined,
};
