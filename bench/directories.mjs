import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectDir } from '../scripts/build-if-stale.mjs';
import { call } from './service.mjs';
import { withClient } from './stores.mjs';

const SAMPLE_SIZE = 200;
/** A display name that no seeded user has. `renameUsersForSearch` sets it for `SEARCH_MATCH_COUNT` users of each organization. */
export const SEARCHED_NAME = 'Quillfeather';
const SEARCH_MATCH_COUNT = 20;
const SEEDED_TABLES =
  'organizations, users, memberships, role_assignments, directory_entries, directory_count_deltas, organizations_history, users_history, memberships_history, role_assignments_history, directory_entries_history';

/** Seeds an organization of each size, with all users in one organization. Reuses organizations of earlier runs. */
export async function seedDirectories(databaseUrl, sizes, log) {
  const present = await organizationsBySize(databaseUrl);
  const missing = sizes.filter((size) => !present.has(size));
  for (const size of missing) {
    log(`Seeding ${size.toLocaleString('en')} users in one organization`);
    await seed(databaseUrl, size);
  }
  if (missing.length === 0) return;
  log('VACUUM ANALYZE, as autovacuum would do within minutes');
  await withClient(databaseUrl, (client) => client.query(`VACUUM (ANALYZE) ${SEEDED_TABLES}`));
}

/** Returns parameters for reads in the organization of each size: users, email addresses, and cursors in the middle and at 90 %. */
export async function readTargets(databaseUrl, sizes, sampleSize = SAMPLE_SIZE) {
  const organizations = await organizationsBySize(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    const targets = [];
    for (const size of sizes) {
      const { id, slug } = organizations.get(size);
      const sample = await client.query(`SELECT id, email FROM users WHERE tenant_id = $1 ORDER BY md5(id) LIMIT ${sampleSize}`, [
        id,
      ]);
      const idsAt = async (part) => {
        const { rows } = await client.query(
          `SELECT user_id FROM directory_entries WHERE tenant_id = $1 AND organization_id = $1 AND status <> 'deleted'
           ORDER BY user_id DESC OFFSET ${Math.floor(size * part)} LIMIT ${sampleSize}`,
          [id],
        );
        return rows.map((row) => row.user_id);
      };
      // Leaves at least one page after each cursor.
      targets.push({ size, id, slug, users: sample.rows, middleIds: await idsAt(0.5), deepIds: (await idsAt(0.9)).slice(0, 50) });
    }
    return targets;
  });
}

/** Sets the display name of some users through the API, so that the search finds them. */
export async function renameUsersForSearch(service, targets) {
  for (const { slug, users } of targets) {
    const path = `/v1/organizations/${slug}/users`;
    const { pagination } = await call(service, 'GET', `${path}?search=${SEARCHED_NAME}&limit=1`);
    for (let renamedCount = pagination.total; renamedCount < SEARCH_MATCH_COUNT; renamedCount++)
      await call(service, 'PATCH', `${path}/${users[renamedCount].id}`, { displayName: SEARCHED_NAME });
  }
}

async function organizationsBySize(databaseUrl) {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query(
      `SELECT o.id, o.slug, sum(c.amount)::int AS size FROM organizations o JOIN (
         SELECT tenant_id, organization_id, amount FROM directory_counts WHERE dimension = 'user' AND status <> 'deleted'
         UNION ALL
         SELECT tenant_id, organization_id, amount FROM directory_count_deltas WHERE dimension = 'user' AND status <> 'deleted'
       ) c ON c.tenant_id = o.tenant_id AND c.organization_id = o.id
       WHERE o.parent_id IS NULL AND o.deleted_at IS NULL GROUP BY o.id, o.slug`,
    ),
  );
  return new Map(rows.map((row) => [row.size, row]));
}

async function seed(databaseUrl, users) {
  const script = join(projectDir, 'scripts/seed.mjs');
  const child = spawn(process.execPath, [script, '--users', String(users), '--organizations', '1'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 2, 2],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Seeding ${users} users failed.`);
}
