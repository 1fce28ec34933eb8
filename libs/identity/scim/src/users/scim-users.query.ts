import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { BaseQuery, column, type QueryOptions, row, type RowOf } from '#platform/database';
import type { UserStatus } from '#directory/memberships';
import { DataSource } from 'typeorm';
import { baseUrlOf, type Connection } from '../access/scim-connection.js';
import { type Filter, isLookup } from '../protocol/filter.js';
import { filterToSql } from '../protocol/filter-sql.js';
import type { ListPart } from '../protocol/lists.js';
import type { ScimObject } from '../protocol/resource.js';
import { userAttributesOf } from './scim-user-attributes.js';

const text = column.text();
const nullableText = column.nullable(text);

const USER_ROW = row({
  id: text,
  email: text,
  firstName: nullableText,
  lastName: nullableText,
  displayName: nullableText,
  phoneNumber: nullableText,
  locale: nullableText,
  picture: nullableText,
  status: column.text<UserStatus>(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
  userVersion: column.integer(),
  version: column.integer(),
  userName: text,
  userNameKey: text,
  externalId: nullableText,
  attributes: column.json<ScimObject>(),
  /** The groups of the connection that contain the user, by name. Null if not selected. */
  groups: column.nullable(column.json<{ value: string; display: string }[]>()),
});

const ID_ROW = row({ id: text });
const STATUS_ROW = row({ status: column.text<UserStatus>() });
const TOTAL_ROW = row({ total: column.integer() });

/** A user whom a connection manages. */
export type UserRecord = RowOf<typeof USER_ROW>;

/**
 * The users of an active connection as `r`. $1 is the tenant and $2 the connection. `managed_by || ''` keeps the planner, which does not know a
 * new connection, from reading all users of the connection for each of them. A page needs `account_id` to begin in both tables at its first user.
 */
const ACTIVE = `SELECT s.user_id AS id, u.id AS account_id, u.email, u.first_name, u.last_name, u.display_name, u.phone_number, u.locale, u.picture, u.status,
    u.created_at, greatest(u.updated_at, s.updated_at) AS updated_at, u.version AS user_version, s.version, s.user_name, s.user_name_key,
    s.external_id, s.email_keys, s.attributes
  FROM scim_users s JOIN users u ON u.tenant_id = $1 AND u.id = s.user_id
  WHERE s.tenant_id = $1 AND s.connection_id = $2 AND u.managed_by || '' = $2 AND u.status <> 'deleted'`;

/** The users as a connection in preview sees them: what it changed replaces the users. */
const PREVIEW = `${ACTIVE} AND NOT EXISTS (SELECT FROM scim_preview_users p
    WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.user_id = s.user_id)
  UNION ALL SELECT p.user_id, p.user_id, p.email, p.fields ->> 'firstName', p.fields ->> 'lastName', p.fields ->> 'displayName',
    p.fields ->> 'phoneNumber', p.fields ->> 'locale', p.fields ->> 'picture', CASE WHEN p.active THEN 'active' ELSE 'suspended' END,
    p.created_at, p.updated_at, 0, p.version, p.user_name, p.user_name_key, p.external_id, p.email_keys, p.attributes
  FROM scim_preview_users p WHERE p.tenant_id = $1 AND p.connection_id = $2 AND NOT p.deleted`;

const sourceOf = ({ isPreview }: Pick<Connection, 'isPreview'>, joins = ''): string =>
  `FROM (${isPreview ? PREVIEW : ACTIVE}) r${joins} WHERE true`;

const ACTIVE_GROUPS = `SELECT g.id, g.name FROM group_members m
  JOIN groups g ON g.tenant_id = $1 AND g.id = m.group_id AND g.managed_by = $2
  WHERE m.tenant_id = $1 AND m.user_id = r.id`;

const PREVIEW_GROUPS = `${ACTIVE_GROUPS} AND NOT EXISTS (SELECT FROM scim_preview_groups p
    WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.group_id = g.id)
  UNION ALL SELECT p.group_id, p.display_name FROM scim_preview_groups p
  WHERE p.tenant_id = $1 AND p.connection_id = $2 AND NOT p.deleted AND r.id = ANY (p.member_ids)`;

const groupsOf = ({ isPreview }: Pick<Connection, 'isPreview'>): string => (isPreview ? PREVIEW_GROUPS : ACTIVE_GROUPS);

const select = (
  connection: Connection,
  groups: boolean,
  joins?: string,
): string => `SELECT r.id, r.email, r.first_name AS "firstName",
  r.last_name AS "lastName", r.display_name AS "displayName", r.phone_number AS "phoneNumber", r.locale, r.picture, r.status,
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.user_version AS "userVersion", r.version, r.user_name AS "userName", r.user_name_key AS "userNameKey",
  r.external_id AS "externalId", r.attributes, ${
    groups
      ? `(SELECT json_agg(json_build_object('value', x.id, 'display', x.name) ORDER BY x.name, x.id) FROM (${groupsOf(connection)}) x)`
      : 'NULL::json'
  } AS groups ${sourceOf(connection, joins)}`;

/** Reads the users whom a connection manages. */
@Injectable()
export class ScimUsersQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    super(dataSource);
  }

  async find(ctx: RequestContext, connection: Connection, id: string, groups = true): Promise<UserRecord | undefined> {
    const sql = `${select(connection, groups)} AND r.id = $3`;
    const [record] = await this.query(ctx, USER_ROW, sql, [connection.tenantId, connection.id, id], { prepared: true });
    return record;
  }

  /** Locks and returns a user until the transaction ends. */
  async lock(ctx: RequestContext, connection: Connection, id: string): Promise<UserRecord | undefined> {
    const sql = 'SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.managed_by = $2 AND u.id = $3 FOR NO KEY UPDATE';
    const [locked] = await this.query(ctx, ID_ROW, sql, [connection.tenantId, connection.id, id]);
    // A second statement, because the row of the attributes can have changed while this one waited.
    return locked && this.find(ctx, connection, id);
  }

  async isUserNameTaken(ctx: RequestContext, connection: Connection, userNameKey: string, exceptId: string): Promise<boolean> {
    const sql = `SELECT r.id ${sourceOf(connection)} AND r.user_name_key = $3 AND r.id <> $4 LIMIT 1`;
    return (await this.query(ctx, ID_ROW, sql, [connection.tenantId, connection.id, userNameKey, exceptId])).length > 0;
  }

  /** Returns the present status of a user, also of a user whom a preview would take over. */
  async findStatus(ctx: RequestContext, { tenantId }: Connection, id: string): Promise<UserStatus | undefined> {
    const sql = 'SELECT u.status FROM users u WHERE u.tenant_id = $1 AND u.id = $2';
    return (await this.query(ctx, STATUS_ROW, sql, [tenantId, id]))[0]?.status;
  }

  /** Returns which of the ids are users of the connection who are members of the organization, or whom a preview would create. */
  async listMemberIds(ctx: RequestContext, connection: Connection, ids: readonly string[]): Promise<Set<string>> {
    const { tenantId, id, organization } = connection;
    const isMember = `EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $1 AND m.organization_id = $4 AND m.user_id = r.id)`;
    const isNew = 'NOT EXISTS (SELECT FROM users n WHERE n.tenant_id = $1 AND n.id = r.id)';
    const sql = `SELECT r.id ${sourceOf(connection)} AND r.id = ANY ($3) AND (${isMember}${connection.isPreview ? ` OR ${isNew}` : ''})`;
    return new Set((await this.query(ctx, ID_ROW, sql, [tenantId, id, ids, organization.id])).map((found) => found.id));
  }

  /** Returns which of the ids are or were users of the connection. Users who were deleted permanently are not found. */
  async listFormerIds(ctx: RequestContext, { tenantId, id }: Connection, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const sql =
      'SELECT s.user_id AS id FROM scim_users s WHERE s.tenant_id = $1 AND s.connection_id = $2 AND s.user_id = ANY ($3)';
    return new Set((await this.query(ctx, ID_ROW, sql, [tenantId, id, ids])).map((found) => found.id));
  }

  /** Returns a part of the users that match a filter, by id. */
  async list(
    ctx: RequestContext,
    connection: Connection,
    filter: Filter | undefined,
    part: ListPart,
    groups: boolean,
  ): Promise<UserRecord[]> {
    const { parameters, joins, condition } = this.conditionOf(connection, filter);
    const after = part.after === undefined ? '' : afterId(`$${parameters.push(part.after)}`);
    const page = `ORDER BY r.id LIMIT $${parameters.push(part.limit)} OFFSET $${parameters.push(part.offset ?? 0)}`;
    return this.query(
      ctx,
      USER_ROW,
      `${select(connection, groups, joins)}${condition}${after} ${page}`,
      parameters,
      optionsOf(filter),
    );
  }

  async count(ctx: RequestContext, connection: Connection, filter: Filter | undefined): Promise<number> {
    const { parameters, joins, condition } = this.conditionOf(connection, filter);
    const [counted] = await this.query(
      ctx,
      TOTAL_ROW,
      `SELECT count(*)::int AS total ${sourceOf(connection, joins)}${condition}`,
      parameters,
      optionsOf(filter),
    );
    return counted?.total ?? 0;
  }

  private conditionOf(connection: Connection, filter: Filter | undefined) {
    const parameters: unknown[] = [connection.tenantId, connection.id];
    if (!filter) return { parameters, joins: '', condition: '' };
    const attributes = userAttributesOf(connection, groupsOf(connection), baseUrlOf(this.config, connection));
    const { joins, condition } = filterToSql(filter, attributes, (value) => `$${parameters.push(value)}`);
    return { parameters, joins, condition: ` AND (${condition})` };
  }
}

/** Other filters are searches, whose best plan depends on the values. */
const optionsOf = (filter: Filter | undefined): QueryOptions =>
  isLookup(filter) ? { prepared: true, connection: 'shared' } : { prepared: false };

const afterId = (parameter: string): string => ` AND r.id > ${parameter} AND r.account_id > ${parameter}`;
