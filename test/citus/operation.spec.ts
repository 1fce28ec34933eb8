import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runMigrations } from '#platform/database';
import { startApp, type TestApp } from '../support/app.js';
import { contentsOf, createTenants, insertEvents, type Tenant } from '../support/citus-data.js';
import { newAddress } from '../support/organizations.js';
import { createDatabaseOfNodes } from '../support/postgres.js';
import { runSql } from '../support/run-sql.js';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/citus.md'), 'utf8');
const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';
const LONG_MS = 180_000;

/** Returns the samples of a language in the section of the guide. */
function samples(title: string, language: string): string[] {
  const section = GUIDE.split(/^## /m).find((each) => each.startsWith(`${title}\n`))!;
  return [...section.matchAll(new RegExp(`^( *)\`\`\`${language}[^\\n]*\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    (match) => match[2]!,
  );
}

jest.setTimeout(LONG_MS);

/** The steps of the guide. The test has two workers: the second one is `worker-3` of the guide, and `worker-2` is omitted. */
describe('the guide for Citus', () => {
  const nodes: Awaited<ReturnType<typeof createDatabaseOfNodes>>[] = [];
  let urls: string[];
  let app: TestApp;
  let tenants: Tenant[];
  let isClosed = false;
  const coordinator = () => urls[0]!;
  /** Runs the statements of samples on the coordinator, one after another. Returns the rows of each. */
  const follow = async (...sql: string[]) => {
    const portOf = Object.fromEntries(
      ['coordinator', 'worker-1', 'worker-3'].map((name, index) => [name, new URL(urls[index]!).port]),
    );
    const results: Record<string, unknown>[][] = [];
    for (const statement of sql.join('\n').split(';')) {
      if (statement.trim() === '' || statement.includes('worker-2')) continue;
      const own = statement
        .replaceAll(/'(coordinator|worker-\d)', 5432/g, (_, name: string) => `'127.0.0.1', ${portOf[name]}`)
        .replaceAll(/'org_[^']+'/g, `'${tenants?.[0]!.id}'`);
      results.push(await runSql(coordinator(), own));
    }
    return results;
  };
  const setUp = async () => {
    const created = await createDatabaseOfNodes();
    nodes.push(created);
    urls = created.urls;
    const [onEachNode, onCoordinator] = samples('Set up a new installation', 'sql');
    for (const url of urls) await runSql(url, onEachNode!);
    await follow(onCoordinator!);
    // Fewer shards than usual, because a move takes some seconds.
    await runSql(coordinator(), `ALTER DATABASE ${new URL(coordinator()).pathname.slice(1)} SET citus.shard_count = 2`);
  };
  const portsOf = async (table: string) =>
    (
      await runSql<{ nodeport: number }>(
        coordinator(),
        `SELECT DISTINCT nodeport FROM citus_shards WHERE table_name = '${table}'::regclass ORDER BY 1`,
      )
    ).map(({ nodeport }) => String(nodeport));
  const workerPorts = () => urls.slice(1).map((url) => new URL(url).port);
  const [addWorker, removeWorker] = samples('Add a worker', 'sql');

  beforeAll(async () => {
    await setUp();
    await runMigrations(coordinator(), { distribution: 'small' });
    app = await startApp({ databaseUrl: coordinator() });
    tenants = await createTenants(app, 4);
  }, LONG_MS);
  afterAll(async () => {
    if (!isClosed) await app.close();
    for (const each of nodes) await each.drop();
  });

  it('adds a worker while the service writes', async () => {
    expect(await portsOf('users')).toEqual([workerPorts()[0]]);
    const rebalance = { isRunning: true };
    const { id } = tenants[1]!;
    const created: string[] = [];
    let longestMs = 0;
    const write = async () => {
      while (rebalance.isRunning) {
        const startedAt = performance.now();
        const { body } = await app.api.platform.post(`/v1/organizations/${id}/users`, { email: newAddress() }).expect(201);
        longestMs = Math.max(longestMs, performance.now() - startedAt);
        created.push((body.data as { id: string }).id);
      }
    };
    const writes = write();
    await follow(addWorker!).finally(() => (rebalance.isRunning = false));
    await writes;

    expect(await portsOf('users')).toEqual(workerPorts().toSorted());
    expect(created.length).toBeGreaterThan(50);
    // Writes don't wait for a whole move.
    expect(longestMs).toBeLessThan(10_000);
    const stored = await runSql<{ id: string }>(coordinator(), `SELECT id FROM users WHERE tenant_id = '${id}'`);
    expect(stored.map((user) => user.id)).toEqual(expect.arrayContaining(created));
    await app.close();
    isClosed = true;
  });

  it('isolates a tenant without a change of its data', async () => {
    await insertEvents(
      coordinator(),
      tenants.map((tenant) => tenant.id),
      1_000,
    );
    const before = await contentsOf(coordinator());
    const [largest, isolate] = samples('Isolate a large tenant', 'sql');
    const [users] = await follow(largest!);
    expect(users![0]!['tenant_id']).toBe(tenants[1]!.id);
    await follow(isolate!);

    const shards = await runSql<{ id: string; shard: number; port: number }>(
      coordinator(),
      `SELECT o.id, get_shard_id_for_distribution_column('organizations', o.id) AS shard, s.nodeport AS port
       FROM unnest('{${tenants.map((tenant) => tenant.id).join()}}'::text[]) o (id)
       JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('organizations', o.id)`,
    );
    const own = shards.find(({ id }) => id === tenants[0]!.id)!;
    expect(shards.filter(({ shard }) => shard === own.shard)).toEqual([own]);
    expect(String(own.port)).toBe(workerPorts()[1]);
    expect(await contentsOf(coordinator())).toEqual(before);
  });

  it('removes a worker without a change of the data', async () => {
    const before = await contentsOf(coordinator());
    await follow(removeWorker!);
    expect(await portsOf('users')).toEqual([workerPorts()[0]]);
    expect(await contentsOf(coordinator())).toEqual(before);
  });

  it('restores a dump into another cluster', async () => {
    await follow(...samples('Back up and restore', 'sql'));
    const before = await contentsOf(coordinator());
    const dumped = coordinator();
    await setUp();
    const dir = mkdtempSync(join(tmpdir(), 'citus-dump-'));
    const env = { PATH: `${POSTGRES_BIN}:${process.env['PATH']}`, DATABASE_URL: dumped, NEW_DATABASE_URL: coordinator() };
    try {
      execFileSync('sh', ['-ec', samples('Back up and restore', 'sh').join('\n')], { cwd: dir, env, stdio: 'pipe' });
    } finally {
      rmSync(dir, { recursive: true });
    }
    await runMigrations(coordinator(), { distribution: 'all' });
    expect(await contentsOf(coordinator())).toEqual(before);
  });

  it('updates Citus', async () => {
    await follow(`${/`(ALTER EXTENSION [^`]*)`/.exec(GUIDE)![1]};`);
    expect(await follow(`${/`(SELECT [^`]* pg_prepared_xacts)`/.exec(GUIDE)![1]};`)).toEqual([[{ count: '0' }]]);
  });
});
