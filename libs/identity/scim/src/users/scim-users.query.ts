import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { UserStatus } from '#directory/memberships';
import { DataSource } from 'typeorm';
import type { Connection } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import { filterToSql, type SqlAttributes } from '../protocol/filter-sql.js';
import type { ScimObject } from '../protocol/resource.js';
import { ENTERPRISE_SCHEMA_ID, USER_TYPE } from '../protocol/schemas.js';

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

/** $1 is the tenant and $2 the connection. */
const FROM = `FROM scim_users s JOIN users u ON u.tenant_id = $1 AND u.id = s.user_id
  WHERE s.tenant_id = $1 AND s.connection_id = $2 AND u.managed_by = $2 AND u.status <> 'deleted'`;

const GROUPS = `(SELECT json_agg(json_build_object('value', g.id, 'display', g.name) ORDER BY g.name, g.id) FROM group_members p
  JOIN groups g ON g.tenant_id = $1 AND g.id = p.group_id AND g.managed_by = $2
  WHERE p.tenant_id = $1 AND p.user_id = s.user_id)`;

const select = (groups: boolean): string => `SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName",
  u.display_name AS "displayName", u.phone_number AS "phoneNumber", u.locale, u.picture, u.status, u.created_at AS "createdAt",
  greatest(u.updated_at, s.updated_at) AS "updatedAt", u.version AS "userVersion", s.version, s.user_name AS "userName",
  s.external_id AS "externalId", s.attributes, ${groups ? GROUPS : 'NULL::json'} AS groups ${FROM}`;

/** Reads the users whom a connection manages. */
@Injectable()
export class ScimUsersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async find(ctx: RequestContext, connection: Connection, id: string, groups = true): Promise<UserRecord | undefined> {
    const sql = `${select(groups)} AND s.user_id = $3`;
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
    const sql = `SELECT s.user_id AS id ${FROM} AND s.user_name_key = $3 AND s.user_id <> $4 LIMIT 1`;
    return (await this.query(ctx, ID_ROW, sql, [connection.tenantId, connection.id, userNameKey, exceptId])).length > 0;
  }

  /** Returns which of the ids are users of the connection. */
  async listManagedIds(ctx: RequestContext, connection: Connection, ids: readonly string[]): Promise<Set<string>> {
    const sql = `SELECT u.id FROM users u
      WHERE u.tenant_id = $1 AND u.managed_by = $2 AND u.status <> 'deleted' AND u.id = ANY ($3)`;
    return new Set((await this.query(ctx, ID_ROW, sql, [connection.tenantId, connection.id, ids])).map(({ id }) => id));
  }

  /** Returns a part of the users that match a filter, by id. */
  async list(
    ctx: RequestContext,
    connection: Connection,
    filter: Filter | undefined,
    part: { readonly after?: string; readonly offset?: number; readonly limit: number },
    groups: boolean,
  ): Promise<UserRecord[]> {
    const { parameters, condition } = conditionOf(connection, filter);
    const after = part.after === undefined ? '' : ` AND s.user_id > $${parameters.push(part.after)}`;
    const page = `ORDER BY s.user_id LIMIT $${parameters.push(part.limit)} OFFSET $${parameters.push(part.offset ?? 0)}`;
    return this.query(ctx, USER_ROW, `${select(groups)}${condition}${after} ${page}`, parameters);
  }

  async count(ctx: RequestContext, connection: Connection, filter: Filter | undefined): Promise<number> {
    const { parameters, condition } = conditionOf(connection, filter);
    const [counted] = await this.query(ctx, TOTAL_ROW, `SELECT count(*)::int AS total ${FROM}${condition}`, parameters);
    return counted?.total ?? 0;
  }
}

function conditionOf(connection: Connection, filter: Filter | undefined): { parameters: unknown[]; condition: string } {
  const parameters: unknown[] = [connection.tenantId, connection.id];
  const condition = filter ? ` AND (${filterToSql(filter, USER_ATTRIBUTES, (value) => `$${parameters.push(value)}`)})` : '';
  return { parameters, condition };
}

/** The attributes that are columns, by path in lower case. All others are in the stored attributes. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: 's.user_id',
  externalid: 's.external_id',
  'name.givenname': 'u.first_name',
  'name.familyname': 'u.last_name',
  displayname: 'u.display_name',
  active: `(u.status <> 'suspended')`,
  'meta.created': 'u.created_at',
  'meta.lastmodified': 'greatest(u.updated_at, s.updated_at)',
  'meta.resourcetype': `'User'`,
};

const ENTERPRISE_PREFIX = `${ENTERPRISE_SCHEMA_ID.toLowerCase()}.`;

const USER_ATTRIBUTES: SqlAttributes = {
  type: USER_TYPE,
  single: (path) => {
    if (path === 'username') return { sql: 's.user_name_key', isFolded: true };
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
                equals: (parameter, value) => `s.email_keys @> ARRAY[${parameter(emailKey(value))}]`,
              }
            : storedList('emails').value(sub),
      };
    if (name === 'groups')
      return {
        from: `group_members p JOIN groups g ON g.tenant_id = $1 AND g.id = p.group_id AND g.managed_by = $2
          WHERE p.tenant_id = $1 AND p.user_id = s.user_id`,
        value: (sub) =>
          ({ value: { sql: 'g.id' }, display: { sql: 'g.name' }, type: { sql: `'direct'` } })[
            sub as 'value' | 'display' | 'type'
          ],
      };
    return storedList(name);
  },
};

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
  return `s.attributes #>> ARRAY[${names.map((each) => `'${each}'`).join(', ')}]`;
}

function storedList(name: string) {
  const attribute = USER_TYPE.schema.attributes.find((each) => each.name.toLowerCase() === name);
  return {
    from: `jsonb_array_elements(s.attributes -> '${attribute?.name}') v WHERE true`,
    value: (sub: string) => {
      const subAttribute = attribute?.subAttributes?.find((each) => each.name.toLowerCase() === sub);
      if (!subAttribute) return undefined;
      return {
        sql: subAttribute.type === 'boolean' ? `(v ->> '${subAttribute.name}')::boolean` : `v ->> '${subAttribute.name}'`,
      };
    },
  };
}
