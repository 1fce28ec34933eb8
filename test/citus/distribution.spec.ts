import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runMigrations } from '#platform/database';
import { startApp, type TestApp } from '../support/app.js';
import { addCitus } from '../support/citus.js';
import { contentsOf, createTenants, insertEvents, type Tenant } from '../support/citus-data.js';
import { eventually } from '../support/delivery-app.js';
import { createDatabaseOfNodes } from '../support/postgres.js';
import { runSql } from '../support/run-sql.js';
import { buildServer, failedStart } from '../support/service-process.js';

const ENTRY = join(import.meta.dirname, '../../dist/server/main.js');
const EVENTS = 30_000;

describe('the distribution of a database with data', () => {
  let nodes: Awaited<ReturnType<typeof createDatabaseOfNodes>>;
  let url: string;
  let app: TestApp;
  let tenants: Tenant[];
  let before: Awaited<ReturnType<typeof contentsOf>>;

  const environment = () => ({
    DATABASE_URL: url,
    DATABASE_DISTRIBUTED: 'citus',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  const run = () => {
    const child = spawn(process.execPath, [ENTRY, 'distribute'], {
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'], ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
    return { child, output, exited: once(child as ChildProcess, 'close').then(([code]: unknown[]) => code) };
  };
  const distributedTables = () =>
    runSql<{ name: string }>(url, `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h' ORDER BY 1`);

  beforeAll(async () => {
    buildServer();
    nodes = await createDatabaseOfNodes();
    url = nodes.urls[0]!;
    await runMigrations(url);
    app = await startApp({ databaseUrl: url });
    tenants = await createTenants(app, 4);
    await insertEvents(
      url,
      tenants.map(({ id }) => id),
      EVENTS,
    );
  });
  afterAll(async () => {
    await app.close();
    await nodes.drop();
  });

  it('requires Citus', async () => {
    const message = /^DATABASE_DISTRIBUTED=citus requires the extension Citus, which this database does not have\./;
    expect((await failedStart(environment())).lines).toEqual([expect.stringMatching(message)]);
    const { output, exited } = run();
    expect(await exited).toBe(1);
    expect(output.text).toMatch(message);
    await addCitus(nodes.urls);
  });

  it('is not a part of the start, if there is much data', async () => {
    const { lines } = await failedStart(environment());
    expect(lines).toEqual([
      expect.stringMatching(/^DATABASE_DISTRIBUTED=citus, but \d+ MB of data are not distributed yet \(largest table: events\)/),
    ]);
    expect(lines[0]).toContain('npm run distribute');
    expect(await distributedTables()).toEqual([]);
  });

  it('requires that the service is stopped', async () => {
    await app.database.query('SELECT 1');
    const { output, exited } = run();
    expect(await exited).toBe(1);
    expect(output.text).toBe('The service is connected to the database. Stop all its processes first.\n');
    await app.close();
    before = await contentsOf(url);
    expect(before['events']!.rows).toBeGreaterThan(2 * EVENTS);
  });

  it('leaves a table as it was if the process is killed', async () => {
    const { child, output, exited } = run();
    await eventually(() => /events: distributing [\d,]+ rows/.test(output.text), 60_000, 'the distribution of events begins');
    child.kill('SIGKILL');
    await exited;
    const names = (await distributedTables()).map(({ name }) => name);
    expect(names).toContain('organizations');
    expect(names).not.toContain('events');
    expect(await contentsOf(url)).toEqual(before);
  });

  it('continues with the remaining tables', async () => {
    const { output, exited } = run();
    expect([await exited, output.text]).toEqual([0, expect.stringContaining('tables are distributed already.')]);
    expect(output.text).toMatch(/\d+\/\d+ events: distributed in [\d.]+ s\n/);
    expect(output.text).toMatch(/Removed the local copies of \d+ tables \(\d+ MB\)\.\n/);
    expect(output.text).toMatch(/All tables are distributed: [\d,]+ rows in [\d.]+ s, on 2 workers\.\n$/);
    expect(await contentsOf(url)).toEqual(before);
    expect(
      await runSql(
        url,
        `SELECT relname FROM pg_class WHERE relname ~ '^(events|users)' AND relkind = 'r' AND pg_relation_size(oid) > 0`,
      ),
    ).toEqual([]);
    const shards = await runSql(url, `SELECT DISTINCT nodename, nodeport FROM citus_shards WHERE table_name = 'users'::regclass`);
    expect(shards).toHaveLength(2);
  });

  it('does nothing on a distributed database', async () => {
    const { output, exited } = run();
    expect([await exited, output.text]).toEqual([0, 'All tables are distributed.\n']);
    expect(await contentsOf(url)).toEqual(before);
  });

  it('keeps the data of the service', async () => {
    const { platformApiKey, secretsKeys } = app.config;
    app = await startApp({ databaseUrl: url, platformApiKey, secretsKeys });
    for (const { id, userIds } of tenants) {
      const listed = (await app.api.platform.get(`/v1/organizations/${id}/users`).expect(200)).body.data as { id: string }[];
      expect(listed.map((user) => user.id).toSorted()).toEqual(userIds.toSorted());
      await app.api.platform
        .post(`/v1/organizations/${id}/users`, { email: `later@${id.replace('_', '-')}.example.com` })
        .expect(201);
    }
  });
});
