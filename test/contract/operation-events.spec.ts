import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, type EventType } from '#platform/events';
import { type Operation, operationsOf } from './access-matrix/matrix.js';
import { addCodeFactors } from './access-matrix/factor-requests.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import { at, type MatrixRequest, type MatrixRow } from './access-matrix/row.js';
import { type RequestOrganizations, World } from './access-matrix/world.js';
import { EVENTS_OF_OPERATIONS } from './operation-events.js';

/** Requests that change something, for operations whose request in the access matrix changes nothing. */
const CHANGING: Readonly<
  Record<string, (world: World, place: RequestOrganizations, token?: string) => Promise<Partial<MatrixRequest>>>
> = {
  activateOrganization: async (world, place) => {
    await world.app.api.platform.post(at(place, '/suspend')).expect(200);
    return {};
  },
  updateReachableWebhook: async () => ({ body: { name: 'Changed once more' } }),
  revokeRole: async (world, place) => {
    const id = await world.fresh('users', place.own);
    await world.app.api.platform.post(at(place, `/users/${id}/roles`), { roleId: 'role_viewer' }).expect(201);
    return { path: at(place, `/users/${id}/roles/role_viewer`) };
  },
  removeUserMfa: async (world, place) => {
    const user = await world.newSession(place.own, 'member');
    await addCodeFactors(world, user);
    return { path: at(place, `/users/${user.id}/mfa`) };
  },
  revokeOwnSessions: async (world, _place, token) => {
    await world.furtherSession(token);
    return {};
  },
  revokeUserSessions: async (world, place) => ({
    path: at(place, `/users/${(await world.newSession(place.own, 'member')).id}/sessions`),
  }),
  forgotPassword: async (world, place) => ({
    body: { organization: place.own, email: (await world.newSession(place.own, 'member')).email },
  }),
};

/** Every operation that changes or exports something publishes an event, or there is a reason for none. */
describe('the event log', () => {
  let world: World;
  let operations: Operation[];
  beforeAll(async () => {
    world = await World.build();
    operations = operationsOf((await world.app.api.anonymous.get('/openapi.json').expect(200)).body);
  });
  afterAll(() => world.close());

  it('lists the events of each operation that changes something, or the reason for none', () => {
    const listed = Object.keys(EVENTS_OF_OPERATIONS);
    expect(
      operations
        .filter(({ method }) => method !== 'GET')
        .map(({ id }) => id)
        .filter((id) => !listed.includes(id)),
    ).toEqual([]);
    expect(listed.filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
    const types = Object.values(EVENTS_OF_OPERATIONS).flatMap((events) => (typeof events === 'string' ? [] : events));
    expect(types.filter((type) => !EVENT_TYPES.includes(type))).toEqual([]);
  });

  /** Sends the request of a row and returns the events that it published. */
  async function published(operation: Operation, row: MatrixRow): Promise<{ status: number; types: EventType[] }> {
    const place = (await row.place?.(world)) ?? world.organizations.place;
    const isOfPerson = row.ownAccount || row.peopleOnly === 'users';
    const token = row.public
      ? undefined
      : isOfPerson
        ? await world.sessionToken(place.own, 'owner', true)
        : world.app.platformKey;
    const request = { ...(await row.request(world, place, token)), ...(await CHANGING[operation.id]?.(world, place, token)) };
    const { text, headers } = sentBody(request);
    const client = token === undefined ? world.app.api.anonymous : world.app.api.as(token);
    const requestId = `op-${operation.id}-${row.variant ?? ''}`.replaceAll(/[^\w-]/g, '-').slice(0, 60);
    const { status } = await client
      .raw(operation.method, request.path, text, { ...headers, 'x-request-id': requestId })
      .whenServed();
    const rows = await world.app.database.query<{ type: EventType }>(
      `SELECT type FROM events WHERE payload::jsonb->'metadata'->>'requestId' = $1`,
      [requestId],
    );
    return { status, types: rows.map(({ type }) => type) };
  }

  it('contains the listed events after each operation', async () => {
    const problems: string[] = [];
    for (const operation of operations) {
      const expected = EVENTS_OF_OPERATIONS[operation.id] ?? [];
      for (const row of ROWS[operation.id] ?? []) {
        const { status, types } = await published(operation, row);
        if (status >= 300) problems.push(`${operation.id} (${row.variant ?? 'as usual'}): status ${status}`);
        const missing = typeof expected === 'string' ? [] : expected.filter((type) => !types.includes(type));
        const unexpected = typeof expected === 'string' ? types : [];
        if (missing.length > 0) problems.push(`${operation.id}: lacks ${missing.join(', ')}; has ${types.join(', ')}`);
        if (unexpected.length > 0)
          problems.push(`${operation.id}: has ${unexpected.join(', ')}, though there is a reason to have none`);
      }
    }
    expect(problems).toEqual([]);
  }, 180_000); // About 200 requests, one after another: 43 s on a busy machine.
});
