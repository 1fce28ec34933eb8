import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { numberedEvents } from '../support/event-log.js';
import { generatedDocument, type Operation, operationsOf, pathOf } from '../support/operations.js';
import { raiseWall, type Wall } from '../support/row-level-security.js';
import { createFixtures, fixtureId, type Fixtures } from './fixtures.js';
import { smallestBody } from './request-bodies.js';
import { everyNth, sized } from '../support/test-size.js';

const document = await generatedDocument();
const operations = operationsOf(document).filter(({ path, security }) => path.startsWith('/v1/') && security?.length !== 0);
const inOrganizations = operations.filter(({ path, isOwnAccount }) => path.startsWith('/v1/organizations/{') && !isOwnAccount);
const changes = operations.filter(({ method }) => method !== 'GET');
/** Each of them takes two tenants of its own, which is most of the time; in full all of them are tried. */
const triedChanges = everyNth(changes, sized(16, 8, 1));

/** What has no tenant, and why that is right. */
const WITHOUT_TENANT = [
  // By a caller's hash; an answer kept is sealed for that caller alone.
  'idempotency_records',
  'migrations',
  // Of the platform's own people and keys.
  'operator_links',
  'operator_sessions',
  'signing_keys',
];

/**
 * The service keeps tenants apart by conditions in its queries. Here PostgreSQL does so as well, for a second process on the same database:
 * what that one answers otherwise than the first leaned on rows of another tenant.
 */
describe('with row-level security in the database', () => {
  let open: TestApp;
  let walled: TestApp;
  let wall: Wall;
  let foreign: Fixtures;
  /** Whom only reads are about. */
  let reader: Fixtures;
  const keys = new Map<Fixtures, string>();

  beforeAll(async () => {
    open = await startApp();
    wall = await raiseWall(open.config.databaseUrl!);
    foreign = await tenant();
    reader = await tenant();
    await wall.showOnly(reader.organization);
    // The first process does the work in the background for all tenants.
    walled = await startApp({ ...open.config, databaseUrl: wall.url, role: 'api', redisUrls: [] });
  });
  afterAll(async () => {
    await walled.close();
    await wall.close();
    await open.close();
  });

  /** A tenant with one of everything, whose events are all numbered. */
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

  it('has a policy on every table but those that hold nothing of tenants', async () => {
    expect(wall.unwalled).toEqual(WITHOUT_TENANT);
    const forced = await open.database.query<{ relname: string }>(
      `SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid WHERE c.relrowsecurity AND c.relforcerowsecurity ORDER BY 1`,
    );
    expect(forced.map(({ relname }) => relname).toSorted()).toEqual([...wall.tables].toSorted());
  });

  const as = (app: TestApp, operation: Operation, own: Fixtures): TestClient =>
    app.api.as(operation.isOwnAccount ? own.person.token : keys.get(own)!);

  it.each(operations.filter(({ method }) => method === 'GET'))(
    '$id is answered alike for the tenant itself',
    async (operation) => {
      await wall.showOnly(reader.organization);
      const before = await ask(operation, as(open, operation, reader), reader);
      const given = await ask(operation, as(walled, operation, reader), reader);
      const after = await ask(operation, as(open, operation, reader), reader);
      // Something may have been noted meanwhile, such as when a key was used.
      expect([shownBy(before), shownBy(after)]).toContainEqual(shownBy(given));
      expect(given.status).toBeLessThan(500);
    },
  );

  it.each(triedChanges)('$id is done alike for the tenant itself', async (operation) => {
    const [one, other] = [await tenant(), await tenant()];
    const expected = await ask(operation, as(open, operation, one), one);
    await wall.showOnly(other.organization);
    const given = await ask(operation, as(walled, operation, other), other);
    expect([given.status, given.body?.code]).toEqual([expected.status, expected.body?.code]);
    expect(formOf(given.body)).toEqual(formOf(expected.body));
  });

  it.each(inOrganizations)(
    '$id finds nothing of another tenant, though the caller may do everything everywhere',
    async (operation) => {
      await wall.showOnly(reader.organization);
      // A platform key: no condition of the service's own keeps it away.
      const { status, body } = await ask(operation, walled.api.platform, foreign);
      expect(status).toBe(404);
      const shown = JSON.stringify(body).replaceAll(body.instance, '');
      const marks = [foreign.user, foreign.person.email, foreign.webhook, foreign.role];
      expect(marks.filter((mark) => shown.includes(mark))).toEqual([]);
    },
  );

  it('lists nothing of other tenants to a caller who may see all', async () => {
    // The newest come first, so these are on the first page however many tenants other tests have made.
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

/** An answer without what is of the request itself: its id, and times that are counted from now. */
const shownBy = ({ status, body }: TestResponse): string =>
  `${status} ${JSON.stringify(body)}`.replaceAll(/req_[0-9a-z]{26}/g, 'REQUEST').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

/** Which fields a body has, whatever their values: ids and times differ. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [formOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}
