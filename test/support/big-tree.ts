import { newId } from '#platform/common';
import type { TestApp } from './app.js';
import { insertOrganizations } from './insert-rows.js';
import { made } from './organizations.js';

/** Creates a root organization with the API, and inserts its descendants into the database. All levels have equal sizes. The deepest is on the last level. */
export async function createBigTree(app: TestApp, { organizations, depth }: Record<'organizations' | 'depth', number>) {
  const rootId = (await made(app, '/v1/organizations', { name: 'Root', slug: 'root' })).id as string;
  const levels = [[{ id: rootId, tenantId: rootId, ancestorIds: [] as string[] }]];
  for (let level = 1; level < depth; level++) {
    const above = levels[level - 1]!;
    levels[level] = Array.from({ length: Math.ceil((organizations - 1) / (depth - 1)) }, (_, index) => {
      const { id, ancestorIds } = above[index % above.length]!;
      return { id: newId('organization'), tenantId: rootId, ancestorIds: [...ancestorIds, id] };
    });
  }
  const descendants = levels.flat().slice(1, organizations);
  await insertOrganizations(app.database, ...descendants);
  await app.database.query('ANALYZE organizations');
  return { rootId, deepestId: descendants.at(-1)!.id };
}
