import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { quantile } from '../support/quantile.js';
import type { ScimClient } from '../support/scim.js';
import { seedScimUsers } from '../support/seeded-users.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const USERS = sized(2_000, 2_000, 40_000);
const TIMEOUT_MS = 20 * 60_000;
/** A filter with 100 conditions on a list takes at most this many times the time of one with 1 condition. */
const MAX_RATIO_OF_CONDITIONS = 8;

jest.setTimeout(TIMEOUT_MS);

describe(`a SCIM connection with ${USERS.toLocaleString('en')} users`, () => {
  const app = testApp();
  let scim: ScimClient;
  beforeAll(async () => {
    scim = await seedScimUsers(app, USERS);
    await app.database.query('VACUUM ANALYZE users, scim_users, groups, group_members');
  });

  it.each(['emails.value co "NUMBER@nowhere"', 'emails[type eq "NUMBER"]', 'groups.display co "NUMBER"', 'title co "NUMBER"'])(
    `reads each user once for 100 conditions: %s`,
    async (condition) => {
      const timeOf = async (conditions: number): Promise<number> => {
        const filter = Array.from({ length: conditions }, (_, index) => condition.replace('NUMBER', String(index))).join(' or ');
        const times: number[] = [];
        for (let round = 0; round < 3; round++) {
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
