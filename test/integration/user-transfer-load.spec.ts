import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { buildServer, ServiceProcess } from '../faults/service-process.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const IS_LONG = Boolean(process.env['LONG']);
const REQUESTS = IS_LONG ? 10 : 1;
const LINES = IS_LONG ? 10_000 : 2_000;
const MAX_RSS_MB = 300;
const MIN_RATIO = 0.5;
const LIMIT_MS = 15 * 60_000;

/** The tables that an import writes, with the columns that name its organization. */
const TABLES = [
  { name: 'users', order: 'id' },
  { name: 'memberships', order: 'user_id' },
  { name: 'role_assignments', order: 'user_id' },
  { name: 'directory_entries', order: 'user_id' },
  { name: 'events', order: 'seq' },
];

describe('many users in and out', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let platform: TestClient;
  let sql: Client;
  let url: string;
  const platformKey = `test-platform-${randomBytes(24).toString('hex')}`;

  beforeAll(async () => {
    buildServer();
    database = await createTestDatabase();
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      PORT: String(port),
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PLATFORM_API_KEY: platformKey,
    });
    platform = new TestClient(url, platformKey);
    sql = new Client({ connectionString: database.url });
    await sql.connect();
  }, LIMIT_MS);
  afterAll(async () => {
    await sql?.end();
    await service?.terminate();
    await database?.drop();
  });

  const organization = async (slug: string): Promise<string> =>
    (await platform.post('/v1/organizations', { name: slug, slug }).expect(201)).body.data.id;

  const body = (request: number): string =>
    Array.from({ length: LINES }, (_, index) => {
      const number = request * LINES + index;
      return JSON.stringify({
        externalId: `load-${number}`,
        email: `first${number}.last@example.com`,
        firstName: `First${number}`,
        lastName: 'Lästname',
        metadata: { team: 'load', number },
      });
    }).join('\n');

  const rssMb = (): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)], { encoding: 'utf8' })) / 1024;

  /** Inserts the rows of one organization for another, in batches as the import does, by PostgreSQL alone. Gives users a second. */
  async function baseline(from: string, to: string): Promise<number> {
    for (const { name, order } of TABLES) {
      await sql.query(
        `CREATE TEMP TABLE copied_${name} AS SELECT row_number() OVER (ORDER BY ${order}) AS row_number, r.* FROM ${name} r WHERE tenant_id = $1
         ${name === 'events' ? `AND type = 'user.created'` : ''}`,
        [from],
      );
      await sql.query(`UPDATE copied_${name} SET tenant_id = $1, organization_id = $1`, [to]);
      if (name === 'directory_entries')
        await sql.query(`UPDATE copied_${name} SET user_tenant_id = $1, user_organization_id = $1`, [to]);
      await sql.query(`CREATE INDEX ON copied_${name} (row_number)`);
    }
    const columns = new Map<string, string>();
    for (const { name } of TABLES) {
      const { rows } = await sql.query(
        `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [name],
      );
      columns.set(name, rows[0].list);
    }
    const startedAt = performance.now();
    for (let first = 1; first <= LINES; first += 500) {
      await sql.query('BEGIN');
      for (const { name } of TABLES)
        await sql.query(
          `INSERT INTO ${name} (${columns.get(name)}) SELECT ${columns.get(name)} FROM copied_${name} WHERE row_number BETWEEN $1 AND $2 ORDER BY row_number`,
          [first, first + 499],
        );
      await sql.query('COMMIT');
    }
    return (LINES / (performance.now() - startedAt)) * 1000;
  }

  it(
    `imports ${REQUESTS * LINES} users in ${REQUESTS} requests and exports them in little memory`,
    async () => {
      await organization('load');
      let peakMb = 0;
      const watch = setInterval(() => (peakMb = Math.max(peakMb, rssMb())), 200);
      const startedAt = performance.now();
      try {
        for (let request = 0; request < REQUESTS; request++) {
          const type = { 'content-type': 'application/x-ndjson' };
          const answer = await platform.raw('POST', '/v1/organizations/load/users/import', body(request), type).expect(200);
          expect(JSON.parse((answer.body as string).trim().split('\n').at(-1)!).summary.created).toBe(LINES);
        }
        const importedAt = performance.now();
        for (const format of ['ndjson', 'csv']) {
          const headers = { authorization: `Bearer ${platformKey}` };
          const exported = await fetch(`${url}/v1/organizations/load/users/export?format=${format}`, { headers });
          expect((await exported.text()).trimEnd().split('\n').length).toBe(REQUESTS * LINES + (format === 'csv' ? 1 : 0));
        }
        const importMs = Math.round(importedAt - startedAt);
        const exportMs = Math.round(performance.now() - importedAt);
        console.log(
          `imported ${REQUESTS * LINES} users in ${importMs} ms, exported them twice in ${exportMs} ms, peak ${Math.round(peakMb)} MB`,
        );
      } finally {
        clearInterval(watch);
      }
      expect(peakMb).toBeGreaterThan(0);
      expect(peakMb).toBeLessThan(MAX_RSS_MB);
    },
    LIMIT_MS,
  );

  it(
    "imports at no less than half of PostgreSQL's own rate",
    async () => {
      const from = await organization('measured');
      const to = await organization('baseline');
      const startedAt = performance.now();
      const type = { 'content-type': 'application/x-ndjson' };
      await platform.raw('POST', '/v1/organizations/measured/users/import', body(0), type).expect(200);
      const rate = (LINES / (performance.now() - startedAt)) * 1000;
      const baselineRate = await baseline(from, to);
      const ratio = rate / baselineRate;
      console.log(
        `import ${Math.round(rate)} users/s, PostgreSQL alone ${Math.round(baselineRate)} users/s, ratio ${ratio.toFixed(2)}`,
      );
      // A short run measures the machine's other work more than ours.
      expect(ratio).toBeGreaterThan(IS_LONG ? MIN_RATIO : MIN_RATIO / 5);
    },
    LIMIT_MS,
  );
});
