import { describeScim } from '../../apps/server/src/openapi/openapi.js';
import { patch, type ScimClient } from '../support/scim.js';
import { type Document, operationsOf } from '../support/operations.js';
import type { HostileTarget } from './hostile-requests.js';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:';
const MESSAGE = 'urn:ietf:params:scim:api:messages:2.0:';
const USER = {
  schemas: [`${SCHEMA}User`],
  userName: 'ada@fuzzed.example',
  externalId: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada',
  active: true,
  locale: 'en',
  emails: [{ value: 'ada@fuzzed.example', type: 'work', primary: true }],
};
const search = (type: string) => ({
  schemas: [`${MESSAGE}SearchRequest`],
  filter: 'meta.created gt "2026-01-01T00:00:00Z"',
  attributes: [type],
  startIndex: 1,
  count: 2,
});

/** Returns a target for each operation of SCIM, with resources of the connection. */
export async function scimTargets(scim: ScimClient): Promise<HostileTarget[]> {
  const user = (await scim.post('/Users', USER).expect(201)).body.id as string;
  const group = { schemas: [`${SCHEMA}Group`], displayName: 'Team', members: [{ value: user }] };
  const groupId = (await scim.post('/Groups', group).expect(201)).body.id as string;
  const bodies: Record<string, unknown> = {
    createScimUser: USER,
    replaceScimUser: USER,
    patchScimUser: patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'eve@fuzzed.example' }),
    createScimGroup: group,
    replaceScimGroup: group,
    patchScimGroup: patch({ op: 'replace', path: 'members[value eq "usr_1"]', value: [{ value: user }] }),
    searchScimUsers: search('userName'),
    searchScimGroups: search('displayName'),
    searchScimResources: search('id'),
    executeScimBulk: {
      schemas: [`${MESSAGE}BulkRequest`],
      failOnErrors: 1,
      Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: USER }],
    },
  };
  return operationsOf((await describeScim()) as Document)
    .filter(({ method }) => method !== 'DELETE')
    .map((operation) => ({
      operation,
      valueOf: (name) => (name === 'connection' ? scim.connectionId : operation.path.includes('Groups') ? groupId : user),
      contentType: 'application/scim+json',
      body: bodies[operation.id],
    }));
}
