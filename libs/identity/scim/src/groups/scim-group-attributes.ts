import { nameKey } from '#platform/common';
import type { Connection } from '../access/scim-connection.js';
import { GROUP_SCHEMA_ID, GROUP_TYPE } from '../protocol/schemas.js';
import { type SqlAttributes, type SqlList, type SqlValue, textLiteral } from '../protocol/sql-attributes.js';

/** Selects the members of groups. Deleted users are no members. $1 is the tenant, $2 the connection, `groups` the id or `ANY` of a list of ids. */
export function membersOf({ isPreview }: Pick<Connection, 'isPreview'>, groups: string): string {
  const active = `SELECT m.group_id, m.user_id, m.added_at FROM group_members m
    JOIN users u ON u.tenant_id = $1 AND u.id = m.user_id AND u.status <> 'deleted'
    WHERE m.tenant_id = $1 AND m.group_id = ${groups}`;
  if (!isPreview) return active;
  return `${active} AND NOT EXISTS (SELECT FROM scim_preview_groups p
      WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.group_id = m.group_id)
    UNION ALL SELECT p.group_id, n.user_id, p.updated_at
    FROM scim_preview_groups p CROSS JOIN LATERAL unnest(p.member_ids) AS n (user_id)
    LEFT JOIN scim_preview_users v ON v.tenant_id = $1 AND v.connection_id = $2 AND v.user_id = n.user_id
    WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.group_id = ${groups} AND v.deleted IS NOT TRUE`;
}

const COLUMNS: Readonly<Record<string, SqlValue>> = {
  id: { sql: 'r.id', isRequired: true },
  externalid: { sql: 'r.external_id' },
  displayname: {
    sql: 'r.name_key',
    isRequired: true,
    isTrimmed: true,
    keyOf: nameKey,
    // A group from before case was ignored can have a key that differs from its name.
    equals: (add, value) => `(r.name_key = ${add(nameKey(value.trim()))} OR r.name = ${add(value.trim())})`,
  },
  'meta.created': { sql: 'r.created_at', isRequired: true },
  'meta.lastmodified': { sql: 'r.updated_at', isRequired: true },
  'meta.resourcetype': { sql: `'Group'`, isRequired: true },
};

/** Returns the attributes of the groups `r`. `base` is the URL of the connection. */
export const groupAttributesOf = (connection: Connection, base: string): SqlAttributes => ({
  type: GROUP_TYPE,
  single: (path) => {
    if (path === 'meta.location') return { sql: `(${textLiteral(`${base}/Groups/`)} || r.id)`, isRequired: true };
    return path === 'meta.version' ? { sql: versionOf(connection), isRequired: true, isStored: true } : COLUMNS[path];
  },
  list: (name) => {
    if (name === 'schemas') return { from: `(VALUES ('${GROUP_SCHEMA_ID}')) v (value)`, value: () => ({ sql: 'v.value' }) };
    return name === 'members' ? membersList(connection, base) : undefined;
  },
});

/** Returns the SQL of `groupVersionOf`. */
const versionOf = (connection: Connection): string =>
  `(SELECT 'W/"' || r.version || '.' || count(*) || '.' || coalesce(trunc(extract(epoch FROM max(x.added_at)) * 1000), 0)::bigint || '"'
    FROM (${membersOf(connection, 'r.id')}) x)`;

function membersList(connection: Connection, base: string): SqlList {
  const members = `(${membersOf(connection, 'r.id')}) x`;
  // A group can have many members, so each id is looked up.
  const equals: SqlValue['equals'] = (add, id) => `EXISTS (SELECT FROM ${members} WHERE x.user_id = ${add(id)})`;
  return {
    from: members,
    value: (sub) => {
      if (sub === 'value') return { sql: 'x.user_id', equals };
      if (sub === '$ref') return { sql: `(${textLiteral(`${base}/Users/`)} || x.user_id)` };
      return sub === 'type' ? { sql: `'User'` } : undefined;
    },
  };
}
