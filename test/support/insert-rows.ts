import type { OrganizationScope } from '#platform/common';

interface Database {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** Inserts the rows of several tables with one statement. All rows of a table have the same columns. */
export async function insertRows(database: Database, tables: Readonly<Record<string, readonly object[]>>): Promise<void> {
  const filled = Object.entries(tables).filter(([, rows]) => rows.length > 0);
  const inserts = filled.map(([table, rows]) => {
    const columns = Object.keys(rows[0]!).join(', ');
    const from = `json_populate_recordset(NULL::${table}, $1::json -> '${table}')`;
    return `into_${table} AS (INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from})`;
  });
  await database.query(`WITH ${inserts.join(', ')} SELECT`, [JSON.stringify(tables)]);
}

type NewOrganization = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'> & Partial<OrganizationScope>;

/** Inserts organizations of existing tenants or new root organizations. */
export async function insertOrganizations(database: Database, ...organizations: NewOrganization[]): Promise<void> {
  const now = new Date();
  await insertRows(database, {
    organizations: organizations.map(({ id, tenantId, ancestorIds, name = 'Name', slug = `slug-${id}` }) => {
      const place = { tenant_id: tenantId, id, parent_id: ancestorIds.at(-1) ?? null, ancestor_ids: ancestorIds };
      return { ...place, name, slug, created_at: now, updated_at: now };
    }),
    organization_handles: organizations.flatMap(({ id, tenantId, slug = `slug-${id}` }) =>
      [id, slug].map((handle) => ({ handle, tenant_id: tenantId, organization_id: id })),
    ),
  });
}
