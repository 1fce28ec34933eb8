import { beforeAll, describe, expect, it } from '@jest/globals';
import { generatedDocument, operationsOf } from '../support/operations.js';
import { testServer } from '../support/test-server.js';
import { ROWS, sentBody } from './access-matrix/requests.js';
import type { MatrixRequest } from './access-matrix/row.js';
import { Setup } from './access-matrix/setup.js';

const operations = operationsOf(await generatedDocument());

/** Operations that a suspended organization allows. An allowed operation ends the suspension, the organization, sessions or grants, or changes nothing. */
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
  'revokeOauthGrant',
]);

const prepared = operations
  .flatMap((operation) => (ROWS[operation.id] ?? []).map((row) => ({ operation, row })))
  .filter(
    ({ operation, row }) => row.outside === undefined && !row.public && !row.ownAccount && operation.id !== 'restoreOrganization',
  );

describe('a descendant organization', () => {
  const setup = testServer(() => Setup.build());
  let whileSuspended: string[];
  let afterDeletion: string[];
  const ofReads = prepared.filter(({ operation }) => !ALLOWED.has(operation.id));
  const ofChecks = prepared.filter(({ operation }) => /^(?:preview|check)/.test(operation.id));

  beforeAll(async () => {
    const { platform } = setup.app.api;
    const { top, shared } = setup.organizations;
    const requests = new Map<object, MatrixRequest>();
    for (const each of prepared) requests.set(each, await each.row.request(setup, shared));
    const sendAll = (each: typeof prepared): Promise<string[]> =>
      Promise.all(
        each.map(async (one) => {
          const { text, headers } = sentBody(requests.get(one)!);
          const { status, body } = await platform.raw(one.operation.method, requests.get(one)!.path, text, headers);
          return `${one.operation.id}: ${status < 300 ? 'done' : `${status} ${body.code}`}`;
        }),
      );
    await platform.post(`/v1/organizations/${top}/suspend`).expect(200);
    whileSuspended = await sendAll([...ofReads, ...ofChecks]);
    await platform.delete(`/v1/organizations/${top}?cascade=true`).expect(204);
    afterDeletion = await sendAll(prepared);
  });

  it('allows only reads, previews and checks if an ancestor is suspended', () => {
    const refused = '409 organization_suspended';
    expect(whileSuspended).toEqual([
      ...ofReads.map(({ operation: { id, method } }) => `${id}: ${method === 'GET' ? 'done' : refused}`),
      ...ofChecks.map(({ operation: { id } }) => `${id}: done`),
    ]);
    expect(ofReads.length).toBeGreaterThan(40);
  });

  it('returns 404 if an ancestor is deleted', () => {
    expect(afterDeletion.filter((response) => !response.includes(': 404 '))).toEqual([]);
  });
});
