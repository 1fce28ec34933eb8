import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { UserStatus } from '#directory/memberships';
import { DataSource } from 'typeorm';
import type { Connection } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import { filterToSql, type SqlAttributes } from '../protocol/filter-sql.js';
import type { ListPart } from '../protocol/lists.js';
import type { ScimObject } from '../protocol/resource.js';
import { ENTERPRISE_SCHEMA_ID, USER_TYPE } from '../protocol/schemas.js';
import { userNameKeyOf } from './user-name.js';

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
  externalId: nullableText,
  attributes: column.json<ScimObject>(),
  /** The groups of the connection that contain the user, by name. Null if not selected. */
  groups: column.nullable(column.json<{ value: string; display: string }[]>()),
});

const ID_ROW = row({ id: text });
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

const sourceOf = ({ isPreview }: Pick<Connection, 'isPreview'>): string => `FROM (${isPreview ? PREVIEW : ACTIVE}) r WHERE true`;

const ACTIVE_GROUPS = `SELECT g.id, g.name FROM group_members m
  JOIN groups g ON g.tenant_id = $1 AND g.id = m.group_id AND g.managed_by = $2
  WHERE m.tenant_id = $1 AND m.user_id = r.id`;

const PREVIEW_GROUPS = `${ACTIVE_GROUPS} AND NOT EXISTS (SELECT FROM scim_preview_groups p
    WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.group_id = g.id)
  UNION ALL SELECT p.group_id, p.display_name FROM scim_preview_groups p
  WHERE p.tenant_id = $1 AND p.connection_id = $2 AND NOT p.deleted AND r.id = ANY (p.member_ids)`;

const groupsOf = ({ isPreview }: Pick<Connection, 'isPreview'>): string => (isPreview ? PREVIEW_GROUPS : ACTIVE_GROUPS);

const select = (connection: Connection, groups: boolean): string => `SELECT r.id, r.email, r.first_name AS "firstName",
  r.last_name AS "lastName", r.display_name AS "displayName", r.phone_number AS "phoneNumber", r.locale, r.picture, r.status,
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.user_version AS "userVersion", r.version, r.user_name AS "userName",
  r.external_id AS "externalId", r.attributes, ${
    groups
      ? `(SELECT json_agg(json_build_object('value', x.id, 'display', x.name) ORDER BY x.name, x.id) FROM (${groupsOf(connection)}) x)`
      : 'NULL::json'
  } AS groups ${sourceOf(connection)}`;

/** Reads the users whom a connection manages. */
@Injectable()
export class ScimUsersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
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

  /** Returns which of the ids are users of the connection. */
  async listManagedIds(ctx: RequestContext, connection: Connection, ids: readonly string[]): Promise<Set<string>> {
    const sql = `SELECT r.id ${sourceOf(connection)} AND r.id = ANY ($3)`;
    return new Set((await this.query(ctx, ID_ROW, sql, [connection.tenantId, connection.id, ids])).map(({ id }) => id));
  }

  /** Returns a part of the users that match a filter, by id. */
  async list(
    ctx: RequestContext,
    connection: Connection,
    filter: Filter | undefined,
    part: ListPart,
    groups: boolean,
  ): Promise<UserRecord[]> {
    const { parameters, condition } = conditionOf(connection, filter);
    const after = part.after === undefined ? '' : afterId(`$${parameters.push(part.after)}`);
    const page = `ORDER BY r.id LIMIT $${parameters.push(part.limit)} OFFSET $${parameters.push(part.offset ?? 0)}`;
    return this.query(ctx, USER_ROW, `${select(connection, groups)}${condition}${after} ${page}`, parameters);
  }

  async count(ctx: RequestContext, connection: Connection, filter: Filter | undefined): Promise<number> {
    const { parameters, condition } = conditionOf(connection, filter);
    const [counted] = await this.query(
      ctx,
      TOTAL_ROW,
      `SELECT count(*)::int AS total ${sourceOf(connection)}${condition}`,
      parameters,
    );
    return counted?.total ?? 0;
  }
}

const afterId = (parameter: string): string => ` AND r.id > ${parameter} AND r.account_id > ${parameter}`;

function conditionOf(connection: Connection, filter: Filter | undefined): { parameters: unknown[]; condition: string } {
  const parameters: unknown[] = [connection.tenantId, connection.id];
  const condition = filter
    ? ` AND (${filterToSql(filter, attributesOf(connection), (value) => `$${parameters.push(value)}`)})`
    : '';
  return { parameters, condition };
}

/** The attributes that are columns, by path in lower case. All others are in the stored attributes. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: 'r.id',
  'name.givenname': 'r.first_name',
  'name.familyname': 'r.last_name',
  displayname: 'r.display_name',
  active: `(r.status <> 'suspended')`,
  'meta.created': 'r.created_at',
  'meta.lastmodified': 'r.updated_at',
  'meta.resourcetype': `'User'`,
};

/**
 * Returns the condition that a column of a user has a value. Reads the ids first, because the planner can't know how few users match, and
 * would read all users in the order of the page until it has enough.
 */
function matching({ isPreview }: Connection, condition: string): string {
  const idsIn = (table: string): string =>
    `SELECT k.user_id FROM ${table} k WHERE k.tenant_id = $1 AND k.connection_id = $2 AND k.${condition}`;
  const ids = isPreview ? `${idsIn('scim_users')} UNION ALL ${idsIn('scim_preview_users')}` : idsIn('scim_users');
  return `(r.id = ANY (ARRAY(${ids})) AND r.${condition})`;
}

const ENTERPRISE_PREFIX = `${ENTERPRISE_SCHEMA_ID.toLowerCase()}.`;

const attributesOf = (connection: Connection): SqlAttributes => ({
  type: USER_TYPE,
  single: (path) => {
    if (path === 'username')
      return {
        sql: 'r.user_name_key',
        keyOf: userNameKeyOf,
        equals: (parameter, value) => matching(connection, `user_name_key = ${parameter(userNameKeyOf(value))}`),
      };
    if (path === 'externalid')
      return { sql: 'r.external_id', equals: (parameter, value) => matching(connection, `external_id = ${parameter(value)}`) };
    const sql = COLUMNS[path] ?? storedSql(path);
    return sql === undefined ? undefined : { sql };
  },
  list: (name) => {
    if (name === 'emails')
      return {
        ...storedList('emails'),
        value: (sub) =>
          sub === 'value'
            ? {
                sql: `v ->> 'value'`,
                // The index contains the address of the account, too.
                equals: (parameter, value) => matching(connection, `email_keys @> ARRAY[${parameter(emailKey(value))}]`),
              }
            : storedList('emails').value(sub),
      };
    if (name === 'groups')
      return {
        from: `(${groupsOf(connection)}) x WHERE true`,
        value: (sub) =>
          ({ value: { sql: 'x.id' }, display: { sql: 'x.name' }, type: { sql: `'direct'` } })[
            sub as 'value' | 'display' | 'type'
          ],
      };
    return storedList(name);
  },
});

/** Returns the SQL of a stored attribute. Names come from the schemas only. */
function storedSql(path: string): string | undefined {
  const isExtension = path.startsWith(ENTERPRISE_PREFIX);
  const schema = isExtension ? USER_TYPE.extension : USER_TYPE.schema;
  const [name, sub] = (isExtension ? path.slice(ENTERPRISE_PREFIX.length) : path).split('.');
  const attribute = schema?.attributes.find((each) => each.name.toLowerCase() === name);
  if (!attribute) return undefined;
  const subAttribute = attribute.subAttributes?.find((each) => each.name.toLowerCase() === sub);
  if (attribute.subAttributes && !subAttribute) return undefined;
  const names = [...(isExtension ? [ENTERPRISE_SCHEMA_ID] : []), attribute.name, ...(subAttribute ? [subAttribute.name] : [])];
  return `r.attributes #>> ARRAY[${names.map((each) => `'${each}'`).join(', ')}]`;
}

function storedList(name: string) {
  const attribute = USER_TYPE.schema.attributes.find((each) => each.name.toLowerCase() === name);
  return {
    from: `jsonb_array_elements(r.attributes -> '${attribute?.name}') v WHERE true`,
    value: (sub: string) => {
      const subAttribute = attribute?.subAttributes?.find((each) => each.name.toLowerCase() === sub);
      if (!subAttribute) return undefined;
      return {
        sql: subAttribute.type === 'boolean' ? `(v ->> '${subAttribute.name}')::boolean` : `v ->> '${subAttribute.name}'`,
      };
    },
  };
}
