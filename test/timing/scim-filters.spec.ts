import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { quantile } from '../support/quantile.js';
import type { ScimClient } from '../support/scim.js';
import { seedScimUsers } from '../support/scim-directory.js';

const USERS = Number(process.env['LARGE_DIRECTORY'] ?? 40_000);
const ROUNDS = 200;
const TIMEOUT_MS = 20 * 60_000;
/** A filter on an indexed attribute takes at most this many times the time of a get. */
const MAX_RATIO = 4;

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
});
