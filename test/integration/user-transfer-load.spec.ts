import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import { countDifferences } from '../support/counts.js';
import type { TestClient } from '../support/http-client.js';
import { sized } from '../support/test-size.js';

const REQUESTS = sized(1, 1, 10);
const LINES = sized(2_000, 2_000, 10_000);
const MAX_RSS_MB = 300;
const LIMIT_MS = 15 * 60_000;

/** The number of rows of each line. Each line has a membership in a child organization. */
const ROWS_OF_LINE = { users: 1, memberships: 2, role_assignments: 2, directory_entries: 2, totp_factors: 1, events: 1 };

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

  const organization = async (slug: string): Promise<string> => {
    const { id } = (await platform.post('/v1/organizations', { name: slug, slug }).expect(201)).body.data;
    await platform.post('/v1/organizations', { name: slug, slug: `${slug}-child`, parentId: id }).expect(201);
    return id;
  };

  const body = (slug: string, request: number): string =>
    Array.from({ length: LINES }, (_, index) => {
      const number = request * LINES + index;
      return JSON.stringify({
        externalId: `load-${number}`,
        email: `first${number}.last@example.com`,
        firstName: `First${number}`,
        lastName: 'Lästname',
        metadata: { team: 'load', number },
        status: 'active',
        totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        memberships: [{ organization: `${slug}-child`, role: 'viewer' }],
      });
    }).join('\n');

  /** Sends an import. Yields the chunks of the response until the response or the connection ends. */
  async function* chunks(slug: string, request: number): AsyncGenerator<string> {
    const response = await fetch(`${url}/v1/organizations/${slug}/users/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tested.environment['PLATFORM_API_KEY']}`, 'content-type': 'application/x-ndjson' },
      body: body(slug, request),
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

  it(`uses bounded memory for ${REQUESTS * LINES} users`, async () => {
    await organization('load');
    let peakMb = 0;
    const watch = setInterval(() => (peakMb = Math.max(peakMb, service.memoryMb)), 200);
    try {
      for (let request = 0; request < REQUESTS; request++) {
        const { reported, summary } = await importAll('load', request);
        expect(summary.created).toBe(LINES);
        // The service sends the results of a batch at its commit. The client gets the progress.
        expect(reported).toBeGreaterThan(2);
      }
      for (const format of ['ndjson', 'csv']) {
        const headers = { authorization: `Bearer ${tested.environment['PLATFORM_API_KEY']}` };
        const exported = await fetch(`${url}/v1/organizations/load/users/export?format=${format}`, { headers });
        expect((await exported.text()).trimEnd().split('\n').length).toBe(REQUESTS * LINES + (format === 'csv' ? 1 : 0));
      }
    } finally {
      clearInterval(watch);
    }
    expect(peakMb).toBeGreaterThan(0);
    expect(peakMb).toBeLessThan(MAX_RSS_MB);
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
    for (const [name, rows] of Object.entries(ROWS_OF_LINE)) {
      const { rows: counted } = await sql.query(
        `SELECT count(*)::int AS count FROM ${name} WHERE tenant_id = $1 ${name === 'events' ? `AND type = 'user.created'` : ''}`,
        [id],
      );
      expect([name, counted[0].count]).toEqual([name, rows * LINES]);
    }
    const query = async (text: string) => (await sql.query(text)).rows as never;
    const differences = await countDifferences({ query });
    expect(differences.filter((row) => row['organization_id'] === id)).toEqual([]);
  });
});
