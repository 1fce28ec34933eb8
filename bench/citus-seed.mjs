import { randomBytes } from 'node:crypto';
import { seedTree } from '../scripts/seed-tree.mjs';
import { seedUsers } from '../scripts/seed-users.mjs';
import { withClient } from './stores.mjs';

const BATCH = 25_000;
const SAMPLE = 200;
const SEEDED_TABLES = [
  'organizations',
  'users',
  'memberships',
  'role_assignments',
  'directory_entries',
  'directory_count_deltas',
];

/**
 * Seeds many tenants with `usersEach` users and one with `large` users, all in one organization, with SQL on the coordinator. Returns
 * targets of the operations for `sampled` tenants, and for the large one last.
 */
export async function seedTenants(databaseUrl, { tenants, usersEach, large, sessions }, sampled, log) {
  return withClient(databaseUrl, async (client) => {
    await client.query("SET synchronous_commit = off; SET work_mem = '128MB'");
    const targets = [];
    for (let index = 0; index <= tenants; index++) {
      const users = index === tenants ? large : usersEach;
      const tree = await seedTree(client, 1);
      for (let first = 1; first <= users; first += BATCH)
        await seedUsers(client, tree, { first, last: Math.min(users, first + BATCH - 1), total: users });
      if (index < sampled || index === tenants) targets.push(await targetOf(client, tree));
      if (index % 100 === 0) log(`  ${index} of ${tenants} tenants`);
    }
    await seedSessions(client, targets.at(-1).id, sessions);
    for (const table of SEEDED_TABLES) await client.query(`VACUUM (ANALYZE) ${table}`);
    return targets;
  });
}

async function targetOf(client, { organizationIds: [id], slug }) {
  const { rows } = await client.query(`SELECT id, email FROM users WHERE tenant_id = $1 ORDER BY md5(id) LIMIT ${SAMPLE}`, [id]);
  return { id, slug, path: `/v1/organizations/${slug}/users`, users: rows };
}

/** Inserts sessions with their token hashes, only to measure their size. */
async function seedSessions(client, tenantId, count) {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  await client.query(
    `INSERT INTO sessions (tenant_id, id, user_id, organization_id, ip_address, user_agent, authentication_methods, created_at, authenticated_at,
       last_seen_at, expires_at)
     SELECT $1, 'ses_' || substr(md5(n::text), 1, 26), u.id, $1, '203.0.113.' || n % 250, $2, '{pwd}', now(), now(), now(), now() + interval '30 days'
     FROM (SELECT id, row_number() OVER () AS n FROM users WHERE tenant_id = $1 LIMIT $3) u`,
    [tenantId, agent, count],
  );
  const hashes = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  await client.query(
    `INSERT INTO token_hashes (hash, kind, tenant_id, subject_id)
     SELECT decode(hash, 'hex'), 'session', $1, 'ses_' || substr(hash, 1, 26) FROM unnest($2::text[]) AS hash`,
    [tenantId, hashes],
  );
}
