import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { numberedEvents } from '../support/event-log.js';
import { generatedDocument, type Operation, operationsOf, pathOf } from '../support/operations.js';
import { enableRowLevelSecurity, type RowLevelSecurity } from '../support/row-level-security.js';
import { createFixtures, fixtureId, type Fixtures } from './fixtures.js';
import { requiredQuery, smallestBody } from './request-bodies.js';
import { everyNth, sized } from '../support/test-size.js';

const document = await generatedDocument();
const operations = operationsOf(document).filter(({ path, isPublic }) => path.startsWith('/v1/') && !isPublic);
const inOrganizations = operations.filter(({ path, isOwnAccount }) => path.startsWith('/v1/organizations/{') && !isOwnAccount);
const changes = operations.filter(({ method }) => method !== 'GET');
/** Each operation requires two new tenants. Only the full run tests all operations, because the creation of tenants is slow. */
const testedChanges = everyNth(changes, sized(16, 8, 1));

/** The tables without rows of tenants. */
const WITHOUT_TENANT = [
  'history_start',
  // The rows contain only a hash of the caller, and a response that is encrypted for the caller.
  'idempotency_records',
  'migrations',
  // Operators and platform keys belong to no tenant.
  'operator_links',
  'operator_sessions',
  'signing_keys',
];

/**
 * The queries of the service have conditions on the tenant. A second process on the same database has row-level security as well. If the two
 * processes respond differently, a condition is missing in the service.
 */
describe('row-level security', () => {
  let unrestricted: TestApp;
  let restricted: TestApp;
  let rls: RowLevelSecurity;
  let foreign: Fixtures;
  /** A tenant to which no writes are sent. */
  let reader: Fixtures;
  const keys = new Map<Fixtures, string>();

  beforeAll(async () => {
    unrestricted = await startApp();
    rls = await enableRowLevelSecurity(unrestricted.config.databaseUrl!);
    foreign = await tenant();
    reader = await tenant();
    await rls.showOnly(reader.organization);
    // The first process does the background work of all tenants.
    restricted = await startApp({ ...unrestricted.config, databaseUrl: rls.url, role: 'api', redisUrls: [] });
  });
  afterAll(async () => {
    await restricted.close();
    await rls.close();
    await unrestricted.close();
  });

  /** Creates a tenant with one resource of each kind. Waits until the events of the tenant have positions. */
  async function tenant(): Promise<Fixtures> {
    const own = await createFixtures(unrestricted);
    const made = { name: 'all', scopes: ['*'] };
    const { key } = (await unrestricted.api.platform.post(`/v1/organizations/${own.organization}/api-keys`, made).expect(201))
      .body.data;
    keys.set(own, key);
    await numberedEvents(unrestricted);
    return own;
  }

  function send(operation: Operation, client: TestClient, own: Fixtures): Promise<TestResponse> {
    const path = pathOf(operation, (name) => fixtureId(operation, name, own));
    const body = operation.body && smallestBody(document, operation.body.schema, own);
    return client.request(operation.method, `${path}?${requiredQuery(operation)}`, body);
  }

  it('protects every table with rows of tenants', async () => {
    expect(rls.tablesWithoutTenant).toEqual(WITHOUT_TENANT);
    const forced = await unrestricted.database.query<{ relname: string }>(
      `SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid WHERE c.relrowsecurity AND c.relforcerowsecurity ORDER BY 1`,
    );
    expect(forced.map(({ relname }) => relname).toSorted()).toEqual([...rls.tables].toSorted());
  });

  const as = (app: TestApp, operation: Operation, own: Fixtures): TestClient =>
    app.api.as(operation.isOwnAccount ? own.person.token : keys.get(own)!);

  // Each export of events adds an event to the next one.
  const reads = operations.filter(({ id, method }) => method === 'GET' && id !== 'exportEvents');
  it.each(reads)('does not change the response of $id', async (operation) => {
    await rls.showOnly(reader.organization);
    const before = await send(operation, as(unrestricted, operation, reader), reader);
    const restrictedResponse = await send(operation, as(restricted, operation, reader), reader);
    const after = await send(operation, as(unrestricted, operation, reader), reader);
    // Some fields change with time, such as the last use of a key.
    expect([comparableText(before), comparableText(after)]).toContainEqual(comparableText(restrictedResponse));
    expect(restrictedResponse.status).toBeLessThan(500);
  });

  it.each(testedChanges)('does not change the status and fields of $id', async (operation) => {
    const [one, other] = [await tenant(), await tenant()];
    const expected = await send(operation, as(unrestricted, operation, one), one);
    await rls.showOnly(other.organization);
    const restrictedResponse = await send(operation, as(restricted, operation, other), other);
    expect([restrictedResponse.status, restrictedResponse.body?.code]).toEqual([expected.status, expected.body?.code]);
    expect(fieldNamesOf(restrictedResponse.body)).toEqual(fieldNamesOf(expected.body));
  });

  it.each(inOrganizations)('hides another tenant from $id, even with the platform key', async (operation) => {
    await rls.showOnly(reader.organization);
    // For a platform key, the queries of the service have no conditions on the tenant.
    const { status, body } = await send(operation, restricted.api.platform, foreign);
    expect(status).toBe(404);
    const shown = JSON.stringify(body).replaceAll(body.instance, '');
    const foreignValues = [foreign.user, foreign.person.email, foreign.webhook, foreign.role];
    expect(foreignValues.filter((mark) => shown.includes(mark))).toEqual([]);
  });

  it('limits lists to one tenant, even with the platform key', async () => {
    // Lists start with the newest tenants. The two new tenants are on the first page, even if other tests created many tenants.
    const others = [await tenant(), await tenant()];
    await rls.showOnly(reader.organization);
    for (const [path, kind] of [
      ['/v1/organizations?limit=100', 'organization'],
      ['/v1/webhooks?limit=100', 'webhook'],
    ] as const) {
      const all = (await unrestricted.api.platform.get(path).expect(200)).body.data as { id: string }[];
      const visible = (await restricted.api.platform.get(path).expect(200)).body.data as { id: string }[];
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(others.map((other) => other[kind])));
      expect(visible.map(({ id }) => id)).toEqual([reader[kind]]);
    }
  });
});

/** Returns the response as text without request IDs and times, and without the event that each export of a user adds. */
const comparableText = ({ status, body }: TestResponse): string =>
  `${status} ${JSON.stringify(body, (_key, value) => (Array.isArray(value) ? value.filter((item) => item?.type !== 'user.data_exported') : value))}`
    .replaceAll(/req_[0-9a-z]{26}/g, 'REQUEST')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

function fieldNamesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [fieldNamesOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fieldNamesOf(inner)]));
}
