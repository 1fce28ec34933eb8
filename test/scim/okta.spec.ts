import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { type ScimClient, startScim } from '../support/scim.js';
import { OKTA_COLLECTION } from './okta-collection.js';
import { type Collection, replay } from './runscope-collection.js';

describe('test collections in the format of Runscope', () => {
  let app: TestApp;
  let scim: ScimClient;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.close());

  beforeEach(async () => {
    ({ scim } = await startScim(app, 'Acme'));
    const name = { givenName: 'Ada', familyName: 'Lovelace' };
    await scim.post('/Users', { userName: 'ada@example.com', name, emails: [{ value: 'ada@example.com' }] }).expect(201);
  });

  const variables = (): Record<string, string> => ({
    SCIMBaseURL: `${app.url}/scim/v2/${scim.connectionId}`,
    auth: `Bearer ${scim.token}`,
    InvalidUserEmail: 'nobody@example.com',
    UserIdThatDoesNotExist: 'usr_00000000000000000000000000',
    randomEmail: 'grace.hopper@example.com',
    randomUsername: 'grace.hopper@example.com',
    randomUsernameCaps: 'GRACE.HOPPER@example.com',
    randomGivenName: 'Grace',
    randomFamilyName: 'Hopper',
  });

  it('report each assertion that does not hold', async () => {
    const headers = { Authorization: ['{{auth}}'] };
    const status = (value: string) => ({ source: 'response_status', comparison: 'equal_number', value });
    const property = (comparison: string, name: string, value: string | null = null) => ({
      source: 'response_json',
      comparison,
      property: name,
      value,
    });
    const list = { step_type: 'request', method: 'GET', url: '{{SCIMBaseURL}}/Users?count=1', headers };
    const collection: Collection = {
      name: 'Own collection',
      steps: [
        {
          ...list,
          note: 'list',
          assertions: [status('200'), property('not_empty', 'Resources[0].id'), property('equal', 'totalResults', '1')],
          variables: [{ name: 'id', property: 'Resources[0].id' }],
        },
        { step_type: 'pause' },
        { ...list, note: 'get', url: '{{SCIMBaseURL}}/Users/{{id}}', assertions: [property('equal', 'id', '{{id}}')] },
        {
          ...list,
          note: 'wrong',
          assertions: [status('201'), property('has_value', 'schemas', 'other'), property('not_empty', 'x.y')],
        },
      ],
    };
    expect(await replay(collection, variables())).toEqual([
      { name: 'list', problems: [] },
      { name: 'get', problems: [] },
      {
        name: 'wrong',
        problems: [
          'response_status  is 200, expected: equal_number 201',
          'response_json schemas is ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], expected: has_value other',
          'response_json x.y is absent, expected: not_empty ',
        ],
      },
    ]);
  });

  it("find no problem: Okta's collection", async () => {
    const results = await replay(OKTA_COLLECTION, variables());
    expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(results).toHaveLength(12);
  });
});
