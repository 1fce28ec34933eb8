import { asciiAddress, emailKey, unicodeAddress } from '#platform/common';
import type { Connection } from '../access/scim-connection.js';
import { ENTERPRISE_SCHEMA_ID, USER_SCHEMA_ID, USER_TYPE } from '../protocol/schemas.js';
import { type SqlAttributes, type SqlList, type SqlValue, textLiteral } from '../protocol/sql-attributes.js';
import { userNameKeyOf } from './user-name.js';

/** Reads the stored attributes of a user once. They can be large, and PostgreSQL would decompress them for each condition. */
const STORED = ` CROSS JOIN LATERAL (SELECT r.attributes || '{}' AS attributes OFFSET 0) stored`;

/** The attributes that are columns, by path in lower case. All others are in the stored attributes. */
const COLUMNS: Readonly<Record<string, SqlValue>> = {
  id: { sql: 'r.id', isRequired: true },
  'name.givenname': { sql: 'r.first_name', isTrimmed: true },
  'name.familyname': { sql: 'r.last_name', isTrimmed: true },
  // Without a display name, the user has the full name as display name, but the resource has none.
  displayname: {
    sql: `CASE WHEN stored.attributes ? 'displayName' OR r.display_name IS DISTINCT FROM stored.attributes #>> '{name,formatted}'
      THEN r.display_name END`,
    isStored: true,
    isTrimmed: true,
  },
  active: { sql: `(r.status <> 'suspended')` },
  'meta.created': { sql: 'r.created_at', isRequired: true },
  'meta.lastmodified': { sql: 'r.updated_at', isRequired: true },
  'meta.resourcetype': { sql: `'User'`, isRequired: true },
  'meta.version': { sql: `('W/"' || r.user_version || '.' || r.version || '"')`, isRequired: true },
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

/** Returns the attributes of the users `r`. `groups` selects the `id` and `name` of the groups of `r`, `base` is the URL of the connection. */
export const userAttributesOf = (connection: Connection, groups: string, base: string): SqlAttributes => ({
  type: USER_TYPE,
  stored: STORED,
  single: (path) => {
    if (path === 'username')
      return {
        sql: 'r.user_name_key',
        written: 'r.user_name',
        isRequired: true,
        keyOf: userNameKeyOf,
        equals: (add, value) => matching(connection, `user_name_key = ${add(userNameKeyOf(value))}`),
      };
    if (path === 'externalid')
      return { sql: 'r.external_id', equals: (add, value) => matching(connection, `external_id = ${add(value)}`) };
    if (path === 'meta.location') return { sql: `(${textLiteral(`${base}/Users/`)} || r.id)`, isRequired: true };
    return COLUMNS[path] ?? storedValue(path);
  },
  list: (name) => {
    if (name === 'schemas') return schemasList();
    if (name === 'emails') return emailsList(connection);
    if (name === 'groups') return { from: `(${groups}) x`, value: (sub) => groupValue(sub, base) };
    return storedList(name);
  },
});

const schemasList = (): SqlList => ({
  from: `(VALUES ('${USER_SCHEMA_ID}'), (CASE WHEN stored.attributes ? '${ENTERPRISE_SCHEMA_ID}' THEN '${ENTERPRISE_SCHEMA_ID}' END)) v (value)`,
  isStored: true,
  value: () => ({ sql: 'v.value' }),
});

/** Returns an address as it was sent and with its domain in ASCII and in Unicode, because clients write and compare both. */
const addressForms = (address: string): string[] => [...new Set([address, asciiAddress(address), unicodeAddress(address)])];

function emailsList(connection: Connection): SqlList {
  const list = storedList('emails');
  return {
    ...list,
    value: (sub) => {
      const value = list.value(sub);
      // The index contains the address of the account, too.
      const equals: SqlValue['equals'] = (add, address) => matching(connection, `email_keys @> ARRAY[${add(emailKey(address))}]`);
      return value && sub === 'value' ? { ...value, equals, formsOf: addressForms } : value;
    },
  };
}

function groupValue(sub: string, base: string): SqlValue | undefined {
  switch (sub) {
    case 'value':
      return { sql: 'x.id' };
    case '$ref':
      return { sql: `(${textLiteral(`${base}/Groups/`)} || x.id)` };
    case 'display':
      return { sql: 'x.name' };
    default:
      return sub === 'type' ? { sql: `'direct'` } : undefined;
  }
}

/** Returns a stored attribute. Names come from the schemas only. */
function storedValue(path: string): SqlValue | undefined {
  const isExtension = path.startsWith(ENTERPRISE_PREFIX);
  const schema = isExtension ? USER_TYPE.extension : USER_TYPE.schema;
  const [name, sub] = (isExtension ? path.slice(ENTERPRISE_PREFIX.length) : path).split('.');
  const attribute = schema?.attributes.find((each) => each.name.toLowerCase() === name);
  if (!attribute) return undefined;
  const subAttribute = attribute.subAttributes?.find((each) => each.name.toLowerCase() === sub);
  if (attribute.subAttributes && !subAttribute) return undefined;
  const names = [...(isExtension ? [ENTERPRISE_SCHEMA_ID] : []), attribute.name, ...(subAttribute ? [subAttribute.name] : [])];
  return { sql: `stored.attributes #>> ARRAY[${names.map((each) => `'${each}'`).join(', ')}]`, isStored: true };
}

function storedList(name: string): SqlList {
  const attribute = USER_TYPE.schema.attributes.find((each) => each.name.toLowerCase() === name);
  return {
    from: `jsonb_array_elements(stored.attributes -> '${attribute?.name}') v`,
    isStored: true,
    value: (sub) => {
      const subAttribute = attribute?.subAttributes?.find((each) => each.name.toLowerCase() === sub);
      if (!subAttribute) return undefined;
      const text = `v ->> '${subAttribute.name}'`;
      return { sql: subAttribute.type === 'boolean' ? `(${text})::boolean` : text, isStored: true };
    },
  };
}
