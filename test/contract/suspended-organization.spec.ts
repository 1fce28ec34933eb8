import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationsOf } from './access-matrix/matrix.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import type { MatrixRequest } from './access-matrix/row.js';
import { World } from './access-matrix/world.js';

/** Writes that a suspended organization takes: those that end the suspension or the organization, and POSTs that change nothing. */
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

/** Below a suspended organization everything can be read and nothing written; in a deleted one there is nothing. */
describe('every operation in an organization whose ancestor is', () => {
  let world: World;
  let requests: { operation: Operation; request: MatrixRequest }[];

  const send = async ({ operation, request }: (typeof requests)[number]): Promise<string> => {
    const { text, headers } = sentBody(request);
    const answer = await world.app.api.platform.raw(operation.method, request.path, text, headers);
    return `${operation.id}: ${answer.status < 300 ? 'done' : `${answer.status} ${answer.body.code}`}`;
  };

  beforeAll(async () => {
    world = await World.build();
    const operations = operationsOf((await world.app.api.nobody.get('/openapi.json').expect(200)).body);
    const cells = operations
      .flatMap((operation) => (ROWS[operation.id] ?? []).map((row) => ({ operation, row })))
      .filter(
        ({ operation, row }) =>
          row.outside === undefined && !row.public && !row.ownAccount && operation.id !== 'restoreOrganization',
      );
    requests = await Promise.all(
      cells.map(async ({ operation, row }) => ({ operation, request: await row.request(world, world.place) })),
    );
  });
  afterAll(() => world.close());

  it('suspended: 409 for writes, reads as usual', async () => {
    await world.app.api.platform.post(`/v1/organizations/${world.top}/suspend`).expect(200);
    const asked = requests.filter(({ operation }) => !ALLOWED.has(operation.id));

    const answers = await Promise.all(asked.map(send));

    expect(answers).toEqual(
      asked.map(({ operation }) => `${operation.id}: ${operation.method === 'GET' ? 'done' : '409 organization_suspended'}`),
    );
    expect(answers.length).toBeGreaterThan(40);
  });

  it('suspended: questions that change nothing are answered', async () => {
    const asked = requests.filter(({ operation }) => /^(?:preview|check)/.test(operation.id));
    expect(await Promise.all(asked.map(send))).toEqual(asked.map(({ operation }) => `${operation.id}: done`));
  });

  it('deleted: 404 for all', async () => {
    await world.app.api.platform.delete(`/v1/organizations/${world.top}?cascade=true`).expect(204);
    const answers = await Promise.all(requests.map(send));
    expect(answers.filter((answer) => !answer.includes(': 404 '))).toEqual([]);
  });
});
