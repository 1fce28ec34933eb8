import { Injectable } from '@nestjs/common';
import { nameKey, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { baseUrlOf, type Connection } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import { filterToSql } from '../protocol/filter-sql.js';
import type { ListPart } from '../protocol/lists.js';
import { groupAttributesOf, membersOf } from './scim-group-attributes.js';

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

/** The groups of an active connection as `r`. $1 is the tenant and $2 the connection. */
const ACTIVE = `SELECT g.id, g.name, g.name_key, g.external_id, g.created_at, g.updated_at, g.version FROM groups g
  WHERE g.tenant_id = $1 AND g.managed_by = $2`;

/** The groups as a connection in preview sees them: what it changed replaces the groups. */
const PREVIEW = `${ACTIVE} AND NOT EXISTS (SELECT FROM scim_preview_groups p
    WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.group_id = g.id)
  UNION ALL SELECT p.group_id, p.display_name, p.name_key, p.external_id, p.created_at, p.updated_at, p.version FROM scim_preview_groups p
  WHERE p.tenant_id = $1 AND p.connection_id = $2 AND NOT p.deleted`;

const sourceOf = ({ isPreview }: Pick<Connection, 'isPreview'>, joins = ''): string =>
  `FROM (${isPreview ? PREVIEW : ACTIVE}) r${joins} WHERE true`;

const select = (
  connection: Connection,
  joins?: string,
): string => `SELECT r.id, r.name AS "displayName", r.external_id AS "externalId",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.version ${sourceOf(connection, joins)}`;

/** Reads the groups that a connection manages, and their members. */
@Injectable()
export class ScimGroupsQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    super(dataSource);
  }

  async find(ctx: RequestContext, connection: Connection, id: string): Promise<GroupRecord | undefined> {
    const [record] = await this.query(ctx, GROUP_ROW, `${select(connection)} AND r.id = $3`, [
      connection.tenantId,
      connection.id,
      id,
    ]);
    return record;
  }

  /** Locks and returns a group until the transaction ends. */
  async lock(ctx: RequestContext, connection: Connection, id: string): Promise<GroupRecord | undefined> {
    const sql = 'SELECT g.id FROM groups g WHERE g.tenant_id = $1 AND g.managed_by = $2 AND g.id = $3 FOR UPDATE';
    const [locked] = await this.query(ctx, ID_ROW, sql, [connection.tenantId, connection.id, id]);
    return locked && this.find(ctx, connection, id);
  }

  /** Returns whether another group of the organization has a name, also a group that no connection manages. */
  async isNameTaken(ctx: RequestContext, connection: Connection, name: string, exceptId: string): Promise<boolean> {
    const sql = `SELECT g.id FROM groups g WHERE g.tenant_id = $1 AND g.organization_id = $3 AND (g.name_key = $4 OR g.name = $6) AND g.id <> $5
        AND NOT EXISTS (SELECT FROM scim_preview_groups p WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.group_id = g.id)
      UNION ALL SELECT p.group_id FROM scim_preview_groups p
      WHERE p.tenant_id = $1 AND p.connection_id = $2 AND (p.name_key = $4 OR p.display_name = $6) AND p.group_id <> $5 AND NOT p.deleted LIMIT 1`;
    const parameters = [connection.tenantId, connection.id, connection.organization.id, nameKey(name), exceptId, name];
    return (await this.query(ctx, ID_ROW, sql, parameters)).length > 0;
  }

  async list(ctx: RequestContext, connection: Connection, filter: Filter | undefined, part: ListPart): Promise<GroupRecord[]> {
    const { parameters, joins, condition } = this.conditionOf(connection, filter);
    const after = part.after === undefined ? '' : ` AND r.id > $${parameters.push(part.after)}`;
    const page = `ORDER BY r.id LIMIT $${parameters.push(part.limit)} OFFSET $${parameters.push(part.offset ?? 0)}`;
    return this.query(ctx, GROUP_ROW, `${select(connection, joins)}${condition}${after} ${page}`, parameters, {
      prepared: false,
    });
  }

  async count(ctx: RequestContext, connection: Connection, filter: Filter | undefined): Promise<number> {
    const { parameters, joins, condition } = this.conditionOf(connection, filter);
    const [counted] = await this.query(
      ctx,
      TOTAL_ROW,
      `SELECT count(*)::int AS total ${sourceOf(connection, joins)}${condition}`,
      parameters,
      { prepared: false },
    );
    return counted?.total ?? 0;
  }

  /** Returns the number of members of each group that has some, and when the last one was added. */
  summarizeMembers(ctx: RequestContext, connection: Connection, groupIds: readonly string[]): Promise<MembersSummary[]> {
    return this.query(
      ctx,
      MEMBERS_ROW,
      `SELECT r.group_id AS "groupId", count(*)::int AS count, max(r.added_at) AS "lastAddedAt" FROM (${membersOf(connection, 'ANY ($3)')}) r
       WHERE $2::text IS NOT NULL GROUP BY r.group_id`,
      [connection.tenantId, connection.id, groupIds],
      // The best plan depends on the number of members: a plan for all groups can read all users.
      { prepared: false },
    );
  }

  listMembers(ctx: RequestContext, connection: Connection, groupIds: readonly string[]): Promise<MemberRecord[]> {
    return this.query(
      ctx,
      MEMBER_ROW,
      `SELECT r.group_id AS "groupId", r.user_id AS value FROM (${membersOf(connection, 'ANY ($3)')}) r
       WHERE $2::text IS NOT NULL ORDER BY r.group_id, r.user_id`,
      [connection.tenantId, connection.id, groupIds],
      // The best plan depends on the number of members: a plan for all groups can read all users.
      { prepared: false },
    );
  }

  async listMemberIds(ctx: RequestContext, connection: Connection, groupId: string): Promise<string[]> {
    return (await this.listMembers(ctx, connection, [groupId])).map(({ value }) => value);
  }

  private conditionOf(connection: Connection, filter: Filter | undefined) {
    const parameters: unknown[] = [connection.tenantId, connection.id];
    if (!filter) return { parameters, joins: '', condition: '' };
    const attributes = groupAttributesOf(connection, baseUrlOf(this.config, connection));
    const { joins, condition } = filterToSql(filter, attributes, (value) => `$${parameters.push(value)}`);
    return { parameters, joins, condition: ` AND (${condition})` };
  }
}
