import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { numberedEvents } from '../support/event-log.js';
import { generatedDocument, type Operation, operationsOf, pathOf } from '../support/operations.js';
import { enableRowLevelSecurity, type RowLevelSecurity } from '../support/row-level-security.js';
import { createFixtures, fixtureId, type Fixtures } from './fixtures.js';
import { smallestBody } from './request-bodies.js';
import { everyNth, sized } from '../support/test-size.js';

const document = await generatedDocument();
const operations = operationsOf(document).filter(({ path, security }) => path.startsWith('/v1/') && security?.length !== 0);
const inOrganizations = operations.filter(({ path, isOwnAccount }) => path.startsWith('/v1/organizations/{') && !isOwnAccount);
const changes = operations.filter(({ method }) => method !== 'GET');
/** Each operation needs two new tenants, which takes most of the time; all operations run only in the full run. */
const triedChanges = everyNth(changes, sized(16, 8, 1));

/** Tables without rows of tenants, and the reason. */
const WITHOUT_TENANT = [
  // The key is a hash of the caller, and the stored response is encrypted for that caller.
  'idempotency_records',
  'migrations',
  // Operators and platform keys belong to no tenant.
  'operator_links',
  'operator_sessions',
  'signing_keys',
];

/**
 * The service isolates tenants with conditions in its queries. In this test, PostgreSQL isolates them as well, for a second process on the same
 * database. If the second process responds differently from the first, the first used rows of another tenant.
 */
describe('with row-level security in the database', () => {
  let open: TestApp;
  let walled: TestApp;
  let wall: RowLevelSecurity;
  let foreign: Fixtures;
  /** A tenant that is only read. */
  let reader: Fixtures;
  const keys = new Map<Fixtures, string>();

  beforeAll(async () => {
    open = await startApp();
    wall = await enableRowLevelSecurity(open.config.databaseUrl!);
    foreign = await tenant();
    reader = await tenant();
    await wall.showOnly(reader.organization);
    // Only the first process does background work, for all tenants.
    walled = await startApp({ ...open.config, databaseUrl: wall.url, role: 'api', redisUrls: [] });
  });
  afterAll(async () => {
    await walled.close();
    await wall.close();
    await open.close();
  });

  /** Creates a tenant with one resource of each kind, whose events all have a position. */
  async function tenant(): Promise<Fixtures> {
    const own = await createFixtures(open);
    const made = { name: 'all', scopes: ['*'] };
    const { key } = (await open.api.platform.post(`/v1/organizations/${own.organization}/api-keys`, made).expect(201)).body.data;
    keys.set(own, key);
    await numberedEvents(open);
    return own;
  }

  function ask(operation: Operation, client: TestClient, own: Fixtures): Promise<TestResponse> {
    const path = pathOf(operation, (name) => fixtureId(operation, name, own));
    const body = operation.body && JSON.stringify(smallestBody(document, operation.body.schema, own));
    return client.raw(
      operation.method,
      path + (REQUIRED[operation.id] ?? ''),
      body,
      body ? { 'content-type': 'application/json' } : {},
    );
  }

  it('has a policy on every table with rows of tenants', async () => {
    expect(wall.tablesWithoutTenant).toEqual(WITHOUT_TENANT);
    const forced = await open.database.query<{ relname: string }>(
      `SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid WHERE c.relrowsecurity AND c.relforcerowsecurity ORDER BY 1`,
    );
    expect(forced.map(({ relname }) => relname).toSorted()).toEqual([...wall.tables].toSorted());
  });

  const as = (app: TestApp, operation: Operation, own: Fixtures): TestClient =>
    app.api.as(operation.isOwnAccount ? own.person.token : keys.get(own)!);

  it.each(operations.filter(({ method }) => method === 'GET'))(
    '$id returns the same response to the tenant itself',
    async (operation) => {
      await wall.showOnly(reader.organization);
      const before = await ask(operation, as(open, operation, reader), reader);
      const given = await ask(operation, as(walled, operation, reader), reader);
      const after = await ask(operation, as(open, operation, reader), reader);
      // Some fields change with time, such as the last use of a key.
      expect([shownBy(before), shownBy(after)]).toContainEqual(shownBy(given));
      expect(given.status).toBeLessThan(500);
    },
  );

  it.each(triedChanges)('$id has the same effect for the tenant itself', async (operation) => {
    const [one, other] = [await tenant(), await tenant()];
    const expected = await ask(operation, as(open, operation, one), one);
    await wall.showOnly(other.organization);
    const given = await ask(operation, as(walled, operation, other), other);
    expect([given.status, given.body?.code]).toEqual([expected.status, expected.body?.code]);
    expect(formOf(given.body)).toEqual(formOf(expected.body));
  });

  it.each(inOrganizations)('$id finds nothing of another tenant, even with the platform key', async (operation) => {
    await wall.showOnly(reader.organization);
    // With a platform key, the conditions of the service exclude nothing.
    const { status, body } = await ask(operation, walled.api.platform, foreign);
    expect(status).toBe(404);
    const shown = JSON.stringify(body).replaceAll(body.instance, '');
    const marks = [foreign.user, foreign.person.email, foreign.webhook, foreign.role];
    expect(marks.filter((mark) => shown.includes(mark))).toEqual([]);
  });

  it('lists nothing of other tenants, even with the platform key', async () => {
    // The newest come first, so these are on the first page even if other tests created many tenants.
    const others = [await tenant(), await tenant()];
    await wall.showOnly(reader.organization);
    for (const [path, kind] of [
      ['/v1/organizations?limit=100', 'organization'],
      ['/v1/webhooks?limit=100', 'webhook'],
    ] as const) {
      const all = (await open.api.platform.get(path).expect(200)).body.data as { id: string }[];
      const left = (await walled.api.platform.get(path).expect(200)).body.data as { id: string }[];
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(others.map((other) => other[kind])));
      expect(left.map(({ id }) => id)).toEqual([reader[kind]]);
    }
  });
});

const REQUIRED: Readonly<Record<string, string>> = { reconcileWebhook: '?since=2026-01-01T00:00:00Z' };

/** Returns a response without the request ID and without times that depend on the current time. */
const shownBy = ({ status, body }: TestResponse): string =>
  `${status} ${JSON.stringify(body)}`.replaceAll(/req_[0-9a-z]{26}/g, 'REQUEST').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

/** Returns the fields of a body without their values, because IDs and times differ. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [formOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}
