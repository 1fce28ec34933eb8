import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, type EventType } from '#platform/events';
import { type Operation, operationsOf } from './access-matrix/matrix.js';
import { addCodeFactors } from './access-matrix/factor-requests.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import { at, type MatrixRequest, type MatrixRow } from './access-matrix/row.js';
import { type RequestOrganizations, Setup } from './access-matrix/setup.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { generatedDocument, operationsOf as documentedOperations, plainSchema } from '../support/operations.js';
import { exampleBody } from './request-bodies.js';
import { EVENTS_OF_OPERATIONS } from './operation-events.js';

/** Changes to requests of the access matrix that would be no-ops. */
const CHANGED_REQUESTS: Readonly<
  Record<string, (setup: Setup, orgs: RequestOrganizations, token?: string) => Promise<Partial<MatrixRequest>>>
> = {
  activateOrganization: async (setup, orgs) => {
    await setup.app.api.platform.post(at(orgs, '/suspend')).expect(200);
    return {};
  },
  updateReachableWebhook: async () => ({ body: { name: 'Changed once more' } }),
  revokeRole: async (setup, orgs) => {
    const id = await setup.createResource('users', orgs.own);
    await setup.app.api.platform.post(at(orgs, `/users/${id}/roles`), { roleId: 'role_viewer' }).expect(201);
    return { path: at(orgs, `/users/${id}/roles/role_viewer`) };
  },
  removeUserMfa: async (setup, orgs) => {
    const user = await setup.newSession(orgs.own, 'member');
    await addCodeFactors(setup, user);
    return { path: at(orgs, `/users/${user.id}/mfa`) };
  },
  revokeOwnSessions: async (setup, _orgs, token) => {
    await setup.openSecondSession(token);
    return {};
  },
  revokeUserSessions: async (setup, orgs) => ({
    path: at(orgs, `/users/${(await setup.newSession(orgs.own, 'member')).id}/sessions`),
  }),
  forgotPassword: async (setup, orgs) => ({
    body: { organization: orgs.own, email: (await setup.newSession(orgs.own, 'member')).email },
  }),
};

/** Every operation that changes or exports data publishes an event. `EVENTS_OF_OPERATIONS` has the reason for each exception. */
describe('every changing operation', () => {
  let setup: Setup;
  let requests = 0;
  let operations: Operation[];
  beforeAll(async () => {
    setup = await Setup.build();
    operations = operationsOf((await setup.app.api.anonymous.get('/openapi.json').expect(200)).body);
  });
  afterAll(() => setup.close());

  it('has an entry in EVENTS_OF_OPERATIONS', () => {
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

  /** Sends the request of a row. Returns the status and the published events. */
  async function published(
    operation: Operation,
    row: MatrixRow,
    prepare: (client: TestClient, request: MatrixRequest) => Promise<MatrixRequest> = async (_client, request) => request,
  ): Promise<{ status: number; types: EventType[] }> {
    const orgs = (await row.organizations?.(setup)) ?? setup.organizations.shared;
    const requiresUser = row.ownAccount || row.allowedCallers === 'users';
    const token = row.public
      ? undefined
      : requiresUser
        ? await setup.sessionToken(orgs.own, 'owner', true)
        : setup.app.platformKey;
    const client = token === undefined ? setup.app.api.anonymous : setup.app.api.as(token);
    const request = await prepare(client, {
      ...(await row.request(setup, orgs, token)),
      ...(await CHANGED_REQUESTS[operation.id]?.(setup, orgs, token)),
    });
    const { text, headers } = sentBody(request);
    const requestId = `op-${++requests}-${operation.id}-${row.variant ?? ''}`.replaceAll(/[^\w-]/g, '-').slice(0, 60);
    const { status } = await client
      .raw(operation.method, request.path, text, { ...headers, 'x-request-id': requestId })
      .whenServed();
    const rows = await setup.app.database.query<{ type: EventType }>(
      `SELECT type FROM events WHERE payload::jsonb->'metadata'->>'requestId' = $1`,
      [requestId],
    );
    return { status, types: rows.map(({ type }) => type) };
  }

  it('publishes the events of the entry', async () => {
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
          problems.push(`${operation.id}: has ${unexpected.join(', ')}, although a reason for none is listed`);
      }
    }
    expect(problems).toEqual([]);
  }, 180_000); // About 200 requests, one after another: 43 s on a busy machine.

  /** Sent settings of an organization become overrides, even with the values that they have, so the organization is saved. */
  const comparable = ({ id }: Operation, { body }: TestResponse): object =>
    id === 'updateOrganization' ? { ...body.data, updatedAt: undefined } : body.data;

  it('changes nothing and publishes no event when a resource is sent as it was read', async () => {
    const document = await generatedDocument();
    const bodies = new Map(documentedOperations(document).map(({ id, body }) => [id, body?.schema]));
    const problems: string[] = [];
    const sent: Record<string, object> = {};
    for (const operation of operations.filter(({ method }) => ['PATCH', 'PUT'].includes(method))) {
      const schema = bodies.get(operation.id);
      for (const row of schema ? (ROWS[operation.id] ?? []) : []) {
        const names = Object.keys(plainSchema(document, schema!).properties ?? {});
        let read: () => Promise<TestResponse> = () => Promise.reject(new Error('No request was prepared.'));
        let before: TestResponse | undefined;
        const { status, types } = await published(operation, row, async (client, request) => {
          read = async () => client.get(request.path).whenServed();
          // Fills as many fields as the rules of the resource allow.
          const example = exampleBody(document, schema!, { organization: '', user: '' });
          for (const body of [request.body, example]) await client.patch(request.path, body).whenServed();
          before = await read();
          const resource = before.body?.data ?? {};
          sent[operation.id] = Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)));
          return { ...request, body: sent[operation.id] };
        });
        // A few resources have no operation that reads only them.
        if (before?.status !== 200) delete sent[operation.id];
        else if (status !== 200 || types.length > 0) problems.push(`${operation.id}: ${status} ${types.join()}`);
        else expect(comparable(operation, await read())).toEqual(comparable(operation, before));
      }
    }
    expect(problems).toEqual([]);
    expect(Object.keys(sent).length).toBeGreaterThanOrEqual(9);
  });
});
