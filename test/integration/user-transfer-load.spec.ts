import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import { countDifferences } from '../support/counts.js';
import type { TestClient } from '../support/http-client.js';

const IS_LONG = Boolean(process.env['LONG']);
const REQUESTS = IS_LONG ? 10 : 1;
const LINES = IS_LONG ? 10_000 : 2_000;
const ROUNDS = IS_LONG ? 3 : 1;
const MAX_RSS_MB = 300;
const MIN_RATIO = 0.5;
const LIMIT_MS = 15 * 60_000;

/** The tables that an import writes, with the columns that contain the organization. */
const TABLES = [
  { name: 'users', order: 'id' },
  { name: 'memberships', order: 'user_id' },
  { name: 'role_assignments', order: 'user_id' },
  { name: 'directory_entries', order: 'user_id' },
  { name: 'events', order: 'seq' },
];

jest.setTimeout(LIMIT_MS);

describe('a large user import', () => {
  let tested: TestService;
  let service: ServiceProcess;
  let platform: TestClient;
  let sql: Client;
  let url: string;

  beforeAll(async () => {
    tested = await TestService.create();
    service = await tested.start();
    ({ url, client: platform } = tested);
    sql = new Client({ connectionString: tested.environment['DATABASE_URL'] });
    await sql.connect();
  }, LIMIT_MS);
  afterAll(async () => {
    await sql?.end();
    await tested?.stop();
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

  /** Sends an import. Yields the chunks of the response until the response or the connection ends. */
  async function* chunks(slug: string, request: number): AsyncGenerator<string> {
    const response = await fetch(`${url}/v1/organizations/${slug}/users/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tested.environment['PLATFORM_API_KEY']}`, 'content-type': 'application/x-ndjson' },
      body: body(request),
    });
    expect(response.status).toBe(200);
    yield* response.body!.pipeThrough(new TextDecoderStream());
  }

  async function importAll(slug: string, request: number) {
    let [text, reported] = ['', 0];
    for await (const piece of chunks(slug, request)) {
      text += piece;
      reported++;
    }
    return { reported, summary: JSON.parse(text.trim().split('\n').at(-1)!).summary };
  }

  const rssMb = (): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)], { encoding: 'utf8' })) / 1024;

  /** Copies the rows of an organization in batches of 500 users with SQL only. Returns the number of users per second. */
  async function copyWithSql(from: string, to: string): Promise<number> {
    for (const { name, order } of TABLES) {
      await sql.query(`DROP TABLE IF EXISTS copied_${name}`);
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

  /** Resolves when the relay has processed the events of an organization. The relay would otherwise slow down the next measurement. */
  async function waitForRelay(tenantId: string): Promise<void> {
    const waiting = 'SELECT FROM events WHERE tenant_id = $1 AND position IS NULL LIMIT 1';
    while ((await sql.query(waiting, [tenantId])).rowCount !== 0) await sleep(20);
  }

  it(`uses bounded memory for ${REQUESTS * LINES} users`, async () => {
    await organization('load');
    let peakMb = 0;
    const watch = setInterval(() => (peakMb = Math.max(peakMb, rssMb())), 200);
    const startedAt = performance.now();
    try {
      for (let request = 0; request < REQUESTS; request++) {
        const { reported, summary } = await importAll('load', request);
        expect(summary.created).toBe(LINES);
        // The service sends the results of a batch at its commit. The client gets the progress.
        expect(reported).toBeGreaterThan(2);
      }
      const importedAt = performance.now();
      for (const format of ['ndjson', 'csv']) {
        const headers = { authorization: `Bearer ${tested.environment['PLATFORM_API_KEY']}` };
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
  });

  it('is at least half as fast as plain SQL', async () => {
    const rates: { service: number; alone: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const from = await organization(`measured-${round}`);
      const to = await organization(`baseline-${round}`);
      const startedAt = performance.now();
      await importAll(`measured-${round}`, 0);
      const rate = (LINES / (performance.now() - startedAt)) * 1000;
      await waitForRelay(from);
      rates.push({ service: rate, alone: await copyWithSql(from, to) });
    }
    const ratio = median(rates.map(({ service, alone }) => service / alone));
    const [service, alone] = [median(rates.map((rate) => rate.service)), median(rates.map((rate) => rate.alone))];
    console.log(
      `import ${Math.round(service)} users/s, PostgreSQL alone ${Math.round(alone)} users/s, ratio ${ratio.toFixed(2)} of ${rates.map((rate) => (rate.service / rate.alone).toFixed(2)).join(', ')}`,
    );
    // A short run mostly measures the load of other processes.
    expect(ratio).toBeGreaterThan(IS_LONG ? MIN_RATIO : MIN_RATIO / 5);
  });

  it('creates no duplicates when the client repeats the import after a crash', async () => {
    const id = await organization('killed');
    let reported = 0;
    const reading = async () => {
      for await (const piece of chunks('killed', 0)) {
        reported += piece.split('\n').length - 1;
        if (reported >= 500) void service.kill();
      }
    };
    await expect(reading()).rejects.toThrow();
    await service.exited;
    expect(reported).toBeLessThan(LINES);

    service = await tested.start();
    const { created, unchanged, failed } = (await importAll('killed', 0)).summary;
    expect([created + unchanged, failed]).toEqual([LINES, 0]);
    // Every result in the response is in the database.
    expect(unchanged).toBeGreaterThanOrEqual(reported);
    for (const { name } of TABLES) {
      const { rows } = await sql.query(
        `SELECT count(*)::int AS count FROM ${name} WHERE tenant_id = $1 ${name === 'events' ? `AND type = 'user.created'` : ''}`,
        [id],
      );
      expect([name, rows[0].count]).toEqual([name, LINES]);
    }
    const query = async (text: string) => (await sql.query(text)).rows as never;
    const differences = await countDifferences({ query });
    expect(differences.filter((row) => row['organization_id'] === id)).toEqual([]);
  });
});

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
