import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startApp, type TestApp } from '../support/app.js';
import { quantile } from '../support/quantile.js';
import type { ScimClient } from '../support/scim.js';
import { seedScimUsers } from '../support/scim-directory.js';

const USERS = Number(process.env['LARGE_DIRECTORY'] ?? 40_000);
const ROUNDS = 200;
const TIMEOUT_MS = 20 * 60_000;
/** A filter on an indexed attribute takes at most this many times the time of a get. */
const MAX_RATIO = 4;
/** A filter with 100 conditions on a list takes at most this many times the time of one with 1 condition. */
const MAX_RATIO_OF_CONDITIONS = 8;

describe(`a SCIM connection with ${USERS.toLocaleString('en')} users`, () => {
  let app: TestApp;
  let scim: ScimClient;
  let users: { id: string; email: string }[];
  beforeAll(async () => {
    app = await startApp();
    scim = await seedScimUsers(app, USERS);
    await app.database.query('VACUUM ANALYZE users, scim_users, groups, group_members');
    users = await app.database.query<{ id: string; email: string }>(
      'SELECT id, email FROM users WHERE managed_by = $1 ORDER BY random() LIMIT $2',
      [scim.connectionId, ROUNDS],
    );
  }, TIMEOUT_MS);
  afterAll(() => app?.close());

  it(
    `answers a filter on an indexed attribute within ${MAX_RATIO} times the time of a get`,
    async () => {
      const filters = ['id eq "ID"', 'userName eq "EMAIL"', 'externalId eq "ext-ID"', 'emails.value eq "other.EMAIL"'];
      const paths = ['/Users/ID', ...filters.map((filter) => `/Users?filter=${filter}`)];
      const times = new Map(paths.map((path): [string, number[]] => [path, []]));
      for (const { id, email } of users)
        for (const path of paths) {
          const startedAt = performance.now();
          await scim.get(encodeURI(path.replace('ID', id).replace('EMAIL', email))).expect(200);
          times.get(path)!.push(performance.now() - startedAt);
        }
      const medians = paths.map((path) => quantile(times.get(path)!, 0.5));
      const ratios = paths.map((path, index): [string, number] => [path, medians[index]! / medians[0]!]);
      process.stdout.write(ratios.map(([path, ratio]) => `${path}: ${ratio.toFixed(2)} times a get\n`).join(''));
      expect(ratios.filter(([, ratio]) => ratio > MAX_RATIO)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(['emails.value co "NUMBER@nowhere"', 'emails[type eq "NUMBER"]', 'groups.display co "NUMBER"', 'title co "NUMBER"'])(
    `reads each user once for 100 conditions: %s`,
    async (condition) => {
      const timeOf = async (conditions: number): Promise<number> => {
        const filter = Array.from({ length: conditions }, (_, index) => condition.replace('NUMBER', String(index))).join(' or ');
        const times: number[] = [];
        for (let round = 0; round < 5; round++) {
          const startedAt = performance.now();
          await scim.post('/Users/.search', { filter }).expect(200);
          times.push(performance.now() - startedAt);
        }
        return quantile(times, 0.5);
      };
      const [one, hundred] = [await timeOf(1), await timeOf(100)];
      process.stdout.write(`${condition}: ${Math.round(one)} ms with 1 condition, ${Math.round(hundred)} ms with 100\n`);
      expect(hundred / one).toBeLessThan(MAX_RATIO_OF_CONDITIONS);
    },
    TIMEOUT_MS,
  );

  it('cancels a search after 10 seconds', async () => {
    const client = new Client({ connectionString: app.config.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE groups');
      const { status, headers, body } = await scim.get('/Groups');
      expect([status, headers.get('retry-after'), body.status]).toEqual([503, '5', '503']);
      expect(body.detail).toContain('longer than 10 seconds');
    } finally {
      await client.end();
    }
  });
});
