// Processor time: sends several requests to each operation.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { generatedDocument, type Operation, operationsOf } from '../support/operations.js';
import { TEST_DISTRIBUTION } from '../support/postgres.js';
import { sized } from '../support/test-size.js';
import { CALLERS } from './access-matrix/callers.js';
import { expectedOutcome } from './access-matrix/matrix.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import type { MatrixRow } from './access-matrix/row.js';
import { Setup } from './access-matrix/setup.js';

/**
 * The service prepares a statement at its third use. PostgreSQL plans a prepared statement five times for its values, and then once for all
 * values. `npm test` sends few requests and therefore starts with the plan for all values. The full run leaves the choice to PostgreSQL.
 */
const [REQUESTS, PLAN_CACHE_MODE] = sized([5, 'force_generic_plan'], [20, 'auto'], [20, 'auto']);
const ROWS_PER_OPERATION = sized(1, Infinity, Infinity);
/** Each connection plans a statement again. */
const MOST_PLANS = 0.85;
const TIMEOUT_MS = 10 * 60_000;
const PLANNED_EACH_TIME: readonly RegExp[] = [
  // The best plan of a search depends on the term.
  /search_text LIKE/,
  // The best plan for the history of several rows depends on their number.
  /^WITH moment .*json_to_recordset/s,
  // TypeORM reads the migrations without values.
  /^SELECT name FROM migrations$/,
];
const CALLER_NAMES = ['session of an owner', 'own key with the permission alone', 'platform key', 'no credential'];

const operations = operationsOf(await generatedDocument());
const callers = CALLER_NAMES.map((name) => CALLERS.find((caller) => caller.name === name)!);

// On Citus, the workers plan, too.
(TEST_DISTRIBUTION ? describe.skip : describe)('planning', () => {
  let setup: Setup;
  /** Only the statements of this process are counted. The process of `setup` does the background work. */
  let app: TestApp;

  beforeAll(async () => {
    setup = await Setup.build();
    await setup.app.database.query('CREATE EXTENSION pg_stat_statements');
    const settings = {
      'pg_stat_statements.track': 'top',
      'pg_stat_statements.track_planning': 'on',
      plan_cache_mode: PLAN_CACHE_MODE,
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const url = new URL(setup.app.config.databaseUrl!);
    url.searchParams.set('options', options.join(' '));
    const databaseUrl = url.href;
    app = await startApp({ ...setup.app.config, databaseUrl, role: 'api', redisUrls: [] });
  });
  afterAll(async () => {
    await app?.close();
    await setup?.close();
  });

  /** Sends requests to an operation, each of which has the access that the operation requires. Returns the failures. */
  async function send(operation: Operation, row: MatrixRow): Promise<string[]> {
    const failures: string[] = [];
    const caller = callers.find((each) => ['yes', 'filtered'].includes(expectedOutcome(row, each, operation.permission)))!;
    for (let sent = 0; sent < REQUESTS; sent++) {
      const orgs = (await row.organizations?.(setup)) ?? setup.organizations.shared;
      const credential = await caller.credential(setup, orgs, operation.permission ?? 'users:read', row);
      const request = await row.request(setup, orgs, credential);
      const { text, headers } = sentBody(request);
      const client = credential === undefined ? app.api.anonymous : app.api.as(credential);
      const { status, body } = await client.raw(operation.method, request.path, text, headers);
      if (status >= 300) failures.push(`${operation.id}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`);
    }
    return failures;
  }

  it(
    'takes place only for the first requests of an operation',
    async () => {
      const failures: string[] = [];
      for (const operation of operations)
        for (const row of (ROWS[operation.id] ?? []).slice(0, ROWS_PER_OPERATION)) failures.push(...(await send(operation, row)));
      expect(failures).toEqual([]);

      const statements = await setup.app.database.query<{ query: string; plans: number; calls: number }>(
        `SELECT query, plans::int, calls::int FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
         WHERE d.datname = current_database() AND calls >= $1 AND plans > calls * $2::float8 ORDER BY calls DESC`,
        [REQUESTS, MOST_PLANS],
      );
      const repeated = statements.filter(({ query }) => !PLANNED_EACH_TIME.some((text) => text.test(query)));
      expect(repeated.map(({ query, plans, calls }) => `planned ${plans} of ${calls} times: ${query}`)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
