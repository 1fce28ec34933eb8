import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationsOf } from './access-matrix/matrix.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import type { MatrixRequest } from './access-matrix/row.js';
import { World } from './access-matrix/world.js';

/** Writes that are allowed in a suspended organization: they end the suspension or the organization, or they are POSTs that change nothing. */
const ALLOWED = new Set([
  'suspendOrganization',
  'activateOrganization',
  'deleteOrganization',
  'restoreOrganization',
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

/** A world with a request to every operation. */
interface PreparedWorld {
  world: World;
  requests: PreparedRequest[];
}

async function prepareWorld(): Promise<PreparedWorld> {
  const world = await World.build();
  const operations = operationsOf((await world.app.api.anonymous.get('/openapi.json').expect(200)).body);
  const cells = operations
    .flatMap((operation) => (ROWS[operation.id] ?? []).map((row) => ({ operation, row })))
    .filter(
      ({ operation, row }) =>
        row.outside === undefined && !row.public && !row.ownAccount && operation.id !== 'restoreOrganization',
    );
  const requests = cells.map(async ({ operation, row }) => ({
    operation,
    request: await row.request(world, world.organizations.place),
  }));
  return { world, requests: await Promise.all(requests) };
}

function sendAll({ world }: PreparedWorld, requests: readonly PreparedRequest[]): Promise<string[]> {
  const send = async ({ operation, request }: PreparedRequest): Promise<string> => {
    const { text, headers } = sentBody(request);
    const answer = await world.app.api.platform.raw(operation.method, request.path, text, headers);
    return `${operation.id}: ${answer.status < 300 ? 'done' : `${answer.status} ${answer.body.code}`}`;
  };
  return Promise.all(requests.map(send));
}

/** In the descendants of a suspended organization, reads succeed and writes fail. In a deleted organization, nothing exists. */
describe('every operation in an organization whose ancestor is', () => {
  let suspended: PreparedWorld;
  let deleted: PreparedWorld;

  beforeAll(async () => {
    suspended = await prepareWorld();
    deleted = await prepareWorld();
    for (const { world } of [suspended, deleted])
      await world.app.api.platform.post(`/v1/organizations/${world.organizations.top}/suspend`).expect(200);
    await deleted.world.app.api.platform.delete(`/v1/organizations/${deleted.world.organizations.top}?cascade=true`).expect(204);
  });
  afterAll(async () => {
    await suspended?.world.close();
    await deleted?.world.close();
  });

  it('suspended returns 409 for writes and the usual response for reads', async () => {
    const asked = suspended.requests.filter(({ operation }) => !ALLOWED.has(operation.id));

    const answers = await sendAll(suspended, asked);

    expect(answers).toEqual(
      asked.map(({ operation }) => `${operation.id}: ${operation.method === 'GET' ? 'done' : '409 organization_suspended'}`),
    );
    expect(answers.length).toBeGreaterThan(40);
  });

  it('suspended succeeds if it changes nothing', async () => {
    const asked = suspended.requests.filter(({ operation }) => /^(?:preview|check)/.test(operation.id));
    expect(await sendAll(suspended, asked)).toEqual(asked.map(({ operation }) => `${operation.id}: done`));
  });

  it('deleted returns 404', async () => {
    const answers = await sendAll(deleted, deleted.requests);
    expect(answers.filter((answer) => !answer.includes(': 404 '))).toEqual([]);
  });
});
