import type { Assertion, Collection, Step } from './runscope-collection.js';

const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const USER_ATTRIBUTES = ['id', 'name.familyName', 'name.givenName', 'userName', 'active', 'emails[0].value'];

const status = (value: number): Assertion => ({
  source: 'response_status',
  comparison: 'equal_number',
  value: String(value),
});

const json = (property: string, comparison: string, value: string | null = null): Assertion => ({
  source: 'response_json',
  comparison,
  property,
  value,
});

const get = (note: string, path: string, ...assertions: Assertion[]): Step => ({
  step_type: 'request',
  note,
  method: 'GET',
  url: `{{SCIMBaseURL}}${path}`,
  headers: {
    Accept: ['application/scim+json'],
    'Accept-Charset': ['utf-8'],
    Authorization: ['{{auth}}'],
    'Content-Type': ['application/scim+json; charset=utf-8'],
    'User-Agent': ['OKTA SCIM Integration'],
  },
  assertions,
});

/** Okta sends a user with the content type of JSON, not of SCIM. */
const create = (note: string, email: string, ...assertions: Assertion[]): Step => ({
  ...get(note, '/Users', ...assertions),
  method: 'POST',
  headers: {
    Accept: ['application/scim+json; charset=utf-8'],
    Authorization: ['{{auth}}'],
    'Content-Type': ['application/json'],
  },
  body: JSON.stringify({
    schemas: [USER],
    userName: '{{randomUsername}}',
    name: { givenName: '{{randomGivenName}}', familyName: '{{randomFamilyName}}' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: '{{randomGivenName}} {{randomFamilyName}}',
    active: true,
  }),
});

/** The requests and assertions of "Okta SCIM 2.0 SPEC Test", which Okta publishes for SCIM services, in their order. */
export const OKTA_COLLECTION: Collection = {
  name: 'Okta SCIM 2.0 SPEC Test',
  steps: [
    {
      ...get(
        'users',
        '/Users?count=1&startIndex=1',
        status(200),
        json('Resources', 'not_empty'),
        json('schemas', 'has_value', LIST_RESPONSE),
        ...['itemsPerPage', 'startIndex', 'totalResults'].map((name) => json(name, 'is_a_number')),
        ...USER_ATTRIBUTES.map((name) => json(`Resources[0].${name}`, 'not_empty')),
      ),
      variables: [{ name: 'ISVUserid', property: 'Resources[0].id' }],
    },
    get(
      'a user by ID',
      '/Users/{{ISVUserid}}',
      status(200),
      ...USER_ATTRIBUTES.map((name) => json(name, 'not_empty')),
      json('id', 'equal', '{{ISVUserid}}'),
    ),
    get(
      'no user with an invalid user name',
      '/Users?filter=userName eq "{{InvalidUserEmail}}"',
      status(200),
      json('schemas', 'has_value', LIST_RESPONSE),
      json('totalResults', 'equal', '0'),
    ),
    get(
      'no user with an invalid ID',
      '/Users/{{UserIdThatDoesNotExist}}',
      status(404),
      json('detail', 'not_empty'),
      json('schemas', 'has_value', ERROR),
    ),
    get(
      'the new user does not exist yet',
      '/Users?filter=userName eq "{{randomEmail}}"',
      status(200),
      json('totalResults', 'equal_number', '0'),
      json('schemas', 'has_value', LIST_RESPONSE),
    ),
    {
      ...create(
        'create a user',
        '{{randomEmail}}',
        status(201),
        json('active', 'equal', 'true'),
        json('id', 'not_empty'),
        json('name.familyName', 'equal', '{{randomFamilyName}}'),
        json('name.givenName', 'equal', '{{randomGivenName}}'),
        json('schemas', 'contains', USER),
        json('userName', 'equal', '{{randomUsername}}'),
      ),
      variables: [{ name: 'idUserOne', property: 'id' }],
    },
    get(
      'the new user exists',
      '/Users/{{idUserOne}}',
      status(200),
      json('userName', 'equal', '{{randomUsername}}'),
      json('name.familyName', 'equal', '{{randomFamilyName}}'),
      json('name.givenName', 'equal', '{{randomGivenName}}'),
    ),
    create('the user cannot be created twice', '{{randomUsername}}', status(409)),
    get('a user name in capitals', '/Users?filter=userName eq "{{randomUsernameCaps}}"', status(200)),
    get('groups', '/Groups', status(200), { source: 'response_time', comparison: 'is_less_than', value: '600' }),
    {
      ...get(
        'a request without a valid token',
        '/Users?filter=userName eq "{{randomUsernameCaps}}"',
        status(401),
        json('detail', 'not_empty'),
        json('status', 'equal', '401'),
        json('schemas', 'has_value', ERROR),
      ),
      headers: { Accept: ['application/scim+json'], Authorization: ['non-token'] },
    },
    get(
      'no user with an ID of another form',
      '/Users/00919288221112222',
      status(404),
      json('detail', 'not_empty'),
      json('status', 'equal', '404'),
      json('schemas', 'has_value', ERROR),
    ),
  ],
};
