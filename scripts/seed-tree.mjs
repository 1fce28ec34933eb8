import { randomBytes } from 'node:crypto';
import { typeidUnboxed } from 'typeid-js';
import { CITIES, TEAMS, toAsciiName, toSearchText } from './seed-names.mjs';

const CHILDREN_EACH = 5;
const ROLES = [
  { name: 'billing', description: 'Sees and pays invoices', permissions: ['invoices:read', 'invoices:write'] },
  { name: 'support', description: 'Helps customers', permissions: ['users:read', 'tickets:read', 'tickets:write'] },
  { name: 'auditor', description: 'Reads what happened', permissions: ['events:read', 'users:read'] },
];

/** Inserts a root organization, its descendants with five children for each parent, and roles of the root. Slugs differ in each run. */
export async function seedTree(client, count) {
  const suffix = randomBytes(3).toString('hex');
  const now = Date.now();
  const organizations = [];
  for (let index = 0; index < count; index++) {
    const parent = organizations[Math.floor((index - 1) / CHILDREN_EACH)];
    const name = index === 0 ? 'Nordlicht Group' : nameOf(index);
    const slug = `${index === 0 ? 'nordlicht' : toAsciiName(name).slice(0, 30)}-${suffix}${index === 0 ? '' : `-${index}`}`;
    const ancestorIds = parent ? [...parent.ancestor_ids, parent.id] : [];
    const search = toSearchText(`${name} ${slug}`);
    organizations.push({
      id: typeidUnboxed('org'),
      parent_id: parent?.id ?? null,
      ancestor_ids: ancestorIds,
      name,
      slug,
      search_text: search,
    });
  }
  const [{ id: tenantId, slug }] = organizations;
  const roles = ROLES.map((role) => ({ id: typeidUnboxed('role'), ...role }));
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO organizations (tenant_id, id, parent_id, ancestor_ids, name, slug, search_text, created_at, updated_at)
     SELECT $2, r.id, r.parent_id, r.ancestor_ids, r.name, r.slug, r.search_text, now(), now()
     FROM json_to_recordset($1::json) AS r (id text, parent_id text, ancestor_ids text[], name text, slug text, search_text text)`,
    [JSON.stringify(organizations), tenantId],
  );
  await client.query(
    `INSERT INTO organization_handles (handle, tenant_id, organization_id)
     SELECT handle, $1, id FROM organizations, unnest(ARRAY[id, slug]) AS handle WHERE tenant_id = $1`,
    [tenantId],
  );
  await client.query('INSERT INTO event_streams (tenant_id) VALUES ($1)', [tenantId]);
  await client.query(
    `INSERT INTO roles (tenant_id, id, organization_id, name, name_key, description, permissions, created_at, updated_at)
     SELECT $2, r.id, $2, r.name, r.name, r.description, r.permissions, now(), now()
     FROM json_to_recordset($1::json) AS r (id text, name text, description text, permissions text[])`,
    [JSON.stringify(roles), tenantId],
  );
  await client.query('COMMIT');
  return { organizationIds: organizations.map(({ id }) => id), roleIds: roles.map(({ id }) => id), slug, now };
}

function nameOf(index) {
  const city = CITIES[(index - 1) % CITIES.length];
  const round = Math.floor((index - 1) / CITIES.length);
  return round === 0 ? city : `${city} ${TEAMS[(round - 1) % TEAMS.length]}`;
}
