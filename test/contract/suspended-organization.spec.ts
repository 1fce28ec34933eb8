import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationsOf } from './access-matrix/matrix.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import type { MatrixRequest } from './access-matrix/row.js';
import { Setup } from './access-matrix/setup.js';

/** Operations that a suspended organization allows. An allowed operation ends the suspension, the organization or sessions, or changes nothing. */
const ALLOWED = new Set([
  'suspendOrganization',
  'activateOrganization',
  'deleteOrganization',
  'restoreOrganization',
  'previewOrganizationMove',
  'previewSettings',
  'checkPermission',
  'checkPermissions',
  'checkIdentityProvider',
  'revokeUserSession',
  'revokeUserSessions',
]);

interface PreparedRequest {
  operation: Operation;
  request: MatrixRequest;
}

/** A running service, and a valid request to every operation. */
interface PreparedRequests {
  setup: Setup;
  requests: PreparedRequest[];
}

async function prepareRequests(): Promise<PreparedRequests> {
  const setup = await Setup.build();
  const operations = operationsOf((await setup.app.api.anonymous.get('/openapi.json').expect(200)).body);
  const cells = operations
    .flatMap((operation) => (ROWS[operation.id] ?? []).map((row) => ({ operation, row })))
    .filter(
      ({ operation, row }) =>
        row.outside === undefined && !row.public && !row.ownAccount && operation.id !== 'restoreOrganization',
    );
  const requests = cells.map(async ({ operation, row }) => ({
    operation,
    request: await row.request(setup, setup.organizations.shared),
  }));
  return { setup, requests: await Promise.all(requests) };
}

function sendAll({ setup }: PreparedRequests, requests: readonly PreparedRequest[]): Promise<string[]> {
  const send = async ({ operation, request }: PreparedRequest): Promise<string> => {
    const { text, headers } = sentBody(request);
    const response = await setup.app.api.platform.raw(operation.method, request.path, text, headers);
    return `${operation.id}: ${response.status < 300 ? 'done' : `${response.status} ${response.body.code}`}`;
  };
  return Promise.all(requests.map(send));
}

describe('a descendant organization', () => {
  let suspended: PreparedRequests;
  let deleted: PreparedRequests;

  beforeAll(async () => {
    suspended = await prepareRequests();
    deleted = await prepareRequests();
    for (const { setup } of [suspended, deleted])
      await setup.app.api.platform.post(`/v1/organizations/${setup.organizations.top}/suspend`).expect(200);
    await deleted.setup.app.api.platform.delete(`/v1/organizations/${deleted.setup.organizations.top}?cascade=true`).expect(204);
  });
  afterAll(async () => {
    await suspended?.setup.close();
    await deleted?.setup.close();
  });

  it('allows only reads if an ancestor is suspended', async () => {
    const sent = suspended.requests.filter(({ operation }) => !ALLOWED.has(operation.id));

    const responses = await sendAll(suspended, sent);

    expect(responses).toEqual(
      sent.map(({ operation }) => `${operation.id}: ${operation.method === 'GET' ? 'done' : '409 organization_suspended'}`),
    );
    expect(responses.length).toBeGreaterThan(40);
  });

  it('allows previews and checks if an ancestor is suspended', async () => {
    const sent = suspended.requests.filter(({ operation }) => /^(?:preview|check)/.test(operation.id));
    expect(await sendAll(suspended, sent)).toEqual(sent.map(({ operation }) => `${operation.id}: done`));
  });

  it('returns 404 if an ancestor is deleted', async () => {
    const responses = await sendAll(deleted, deleted.requests);
    expect(responses.filter((response) => !response.includes(': 404 '))).toEqual([]);
  });
});
