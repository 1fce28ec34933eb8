import { newId } from '#platform/common';
import type { TestApp } from './app.js';
import { made } from './organizations.js';

/** Creates a root organization with the API, and inserts its descendants into the database. All levels have equal sizes. The deepest is on the last level. */
export async function createBigTree(app: TestApp, { organizations, depth }: Record<'organizations' | 'depth', number>) {
  const rootId = (await made(app, '/v1/organizations', { name: 'Root', slug: 'root' })).id as string;
  const levels: { id: string; ancestors: string[] }[][] = [[{ id: rootId, ancestors: [] }]];
  const rows: { id: string; parent: string; ancestors: string[] }[] = [];
  for (let level = 1; level < depth; level++) {
    const above = levels[level - 1]!;
    levels[level] = Array.from({ length: Math.ceil((organizations - 1) / (depth - 1)) }, (_, index) => {
      const parent = above[index % above.length]!;
      const node = { id: newId('organization'), ancestors: [...parent.ancestors, parent.id] };
      if (rows.length < organizations - 1) rows.push({ id: node.id, parent: parent.id, ancestors: node.ancestors });
      return node;
    });
  }
  await app.database.query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS r (id text, parent text, ancestors jsonb)), made AS (
       INSERT INTO organizations (tenant_id, id, parent_id, ancestor_ids, name, slug, created_at, updated_at)
       SELECT $1, id, parent, ARRAY(SELECT jsonb_array_elements_text(ancestors)), id, replace(id, '_', '-'), now(), now() FROM given)
     INSERT INTO organization_handles (handle, tenant_id, organization_id) SELECT id, $1, id FROM given`,
    [rootId, JSON.stringify(rows)],
  );
  await app.database.query('ANALYZE organizations');
  return { rootId, deepestId: rows.at(-1)!.id };
}
