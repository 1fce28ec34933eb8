import { FIRST_NAMES, LAST_NAMES, TEAMS, toAsciiName, toSearchText } from './seed-names.mjs';

const YEAR_MS = 365 * 24 * 3_600_000;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * SQL for a TypeID with a given time: 48 bits of time in the first ten digits, then version 7, the variant and 56 random bits
 * (hexadecimal digits are valid digits of this base, too).
 */
const timeDigits = Array.from({ length: 10 }, (_, digit) => `substr('${BASE32}', ((ms >> ${45 - 5 * digit}) & 31)::int + 1, 1)`);
const ID = `'usr_' || ${timeDigits.join(' || ')} || 'e' || substr(hex, 1, 2) || '8' || substr(hex, 3, 12)`;

/** Creates the rows of one batch, users `$1` to `$2`, in a temporary table. The rows of all other tables are copied from this table. */
const MAKE_BATCH = `
CREATE TEMP TABLE seed_users ON COMMIT DROP AS
WITH chance AS MATERIALIZED (
  SELECT n, 1 + floor(random() * cardinality($3::text[]))::int AS f, 1 + floor(random() * cardinality($6::text[]))::int AS l,
    random() AS state, random() AS share, random() AS extra, md5(n || '|' || random()) AS hex,
    $9::bigint + n * $10::bigint AS ms,
    CASE WHEN n <= cardinality($11::text[]) THEN n ELSE 1 + floor(cardinality($11::text[]) * random() ^ 2)::int END AS o
  FROM generate_series($1::int, $2::int) AS n
), named AS MATERIALIZED (
  SELECT n, o, share, extra, ${ID} AS id, to_timestamp(ms / 1000.0) AS created_at,
    ($11::text[])[o] AS organization_id, ($3::text[])[f] AS first_name, ($6::text[])[l] AS last_name,
    ($5::text[])[f] || '.' || ($8::text[])[l] || n || '@example.com' AS email,
    ' ' || ($4::text[])[f] || ' ' || ($7::text[])[l] AS full_key, ($4::text[])[f] AS first_key,
    CASE WHEN n <= cardinality($11::text[]) OR state < 0.8 THEN 'active' WHEN state < 0.9 THEN 'pending' ELSE 'suspended' END AS status
  FROM chance
)
SELECT n, o, id, organization_id, first_name, last_name, email, status, created_at, extra,
  CASE WHEN n % 5 = 0 THEN first_name END AS display_name,
  ' ' || email || E'\\n' || full_key || CASE WHEN n % 5 = 0 THEN E'\\n ' || first_key ELSE '' END AS search_text,
  CASE WHEN status = 'active' AND extra < 0.7 THEN created_at + (now() - created_at) * share END AS last_login_at,
  CASE WHEN n <= cardinality($11::text[]) THEN 'role_owner' WHEN share < 0.85 THEN 'role_member' WHEN share < 0.93 THEN 'role_viewer'
    WHEN share < 0.95 THEN 'role_admin' ELSE ($12::text[])[1 + n % cardinality($12::text[])] END AS role_id
FROM named`;

/** Creates the memberships: each user in the managing organization, some users also in the root organization. */
const MAKE_ROLES = `
CREATE TEMP TABLE seed_members ON COMMIT DROP AS
SELECT id AS user_id, organization_id, organization_id AS home_id, true AS managed, role_id, status, email, search_text, created_at, last_login_at
FROM seed_users
UNION ALL
SELECT id, $1, organization_id, false, 'role_viewer', status, email, search_text, created_at, last_login_at FROM seed_users
WHERE organization_id <> $1 AND n % 20 = 0`;
const MAKE_ASSIGNMENTS = `
CREATE TEMP TABLE seed_roles ON COMMIT DROP AS
SELECT user_id, organization_id, role_id, false AS explicit, status, created_at FROM seed_members
UNION ALL
SELECT id, organization_id, ($1::text[])[1 + n % cardinality($1::text[])], true, status, created_at FROM seed_users
WHERE extra > 0.9 AND role_id NOT IN (SELECT unnest($1::text[]))`;

const INSERTS = [
  `INSERT INTO users (tenant_id, id, organization_id, email, email_key, email_verified, first_name, last_name, display_name, external_id,
     status, metadata, suspended_at, suspended_reason, last_login_at, created_at, updated_at)
   SELECT $1, id, organization_id, email, email, status <> 'pending', first_name, last_name, display_name,
     CASE WHEN n % 2 = 0 THEN 'hr-' || n END, status, jsonb_build_object('team', ($2::text[])[1 + n % cardinality($2::text[])]),
     CASE WHEN status = 'suspended' THEN created_at END, CASE WHEN status = 'suspended' THEN 'Left the company' END,
     last_login_at, created_at, created_at
   FROM seed_users`,
  `INSERT INTO memberships (tenant_id, organization_id, user_id, user_tenant_id, role_id, announced, joined_at, updated_at)
   SELECT $1, organization_id, user_id, $1, role_id, NOT managed, created_at, created_at FROM seed_members`,
  `INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
   SELECT $1, organization_id, user_id, role_id, explicit, status, created_at FROM seed_roles`,
  `INSERT INTO directory_entries (tenant_id, organization_id, user_id, user_tenant_id, user_organization_id, managed, member, status,
     email_key, search_text, last_login_at)
   SELECT $1, organization_id, user_id, $1, home_id, managed, true, status, email, search_text, last_login_at
   FROM seed_members ORDER BY organization_id, user_id`,
  `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
   SELECT $1, organization_id, dimension, status, count(*) FROM (
     SELECT organization_id, d AS dimension, status FROM seed_members, unnest(ARRAY['user', 'member']) AS d
     UNION ALL SELECT organization_id, role_id, status FROM seed_roles
   ) counted GROUP BY 2, 3, 4`,
];

/** Inserts the users from `first` to `last` of `total`, with all their rows, in one transaction. */
export async function seedUsers(client, tree, { first, last, total }) {
  const names = [
    FIRST_NAMES,
    FIRST_NAMES.map(toSearchText),
    FIRST_NAMES.map(toAsciiName),
    LAST_NAMES,
    LAST_NAMES.map(toSearchText),
    LAST_NAMES.map(toAsciiName),
  ];
  const stepMs = Math.max(1, Math.floor(YEAR_MS / total));
  const tenantId = tree.organizationIds[0];
  await client.query('BEGIN');
  try {
    await client.query(MAKE_BATCH, [
      first,
      last,
      ...names,
      tree.now - stepMs * (total + 1),
      stepMs,
      tree.organizationIds,
      tree.roleIds,
    ]);
    await client.query(MAKE_ROLES, [tenantId]);
    await client.query(MAKE_ASSIGNMENTS, [tree.roleIds]);
    for (const insert of INSERTS) await client.query(insert, insert.includes('$2') ? [tenantId, TEAMS] : [tenantId]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
