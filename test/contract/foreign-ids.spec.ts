// Processor time: several requests for each parameter and field with an ID, and new resources after each successful one.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ID_PREFIXES, isId, newId, type ResourceKind } from '#platform/common';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { generatedDocument, type Operation, operationsOf, pathOf, plainSchema, type Schema } from '../support/operations.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';
import { CRUD_RESOURCES } from './crud-resources.js';
import { createFixtures, fixtureId, type Fixtures, removesFixtures } from './fixtures.js';
import { fieldsOf, smallestBody } from './request-bodies.js';

const document = await generatedDocument();

/** Matches names of parameters and fields that can contain an ID. */
const ID_NAME = /ids?$|^after$|role|parent|user|organization|webhook|actor|reassign|provider|session/i;

/** A parameter or body field that can contain an ID. */
interface Slot {
  name: string;
  operation: Operation;
  send(client: TestClient, own: Fixtures, id: string): Promise<TestResponse>;
}

const newIdLike = (id: string): string => {
  const kind = Object.keys(ID_PREFIXES).find((each) => isId(each as ResourceKind, id));
  return newId(kind as ResourceKind);
};

const canContainId = (name: string, schema: Schema): boolean => {
  const { type, items, enum: choices, format } = plainSchema(document, schema);
  const isText = type === 'string' && choices === undefined && format === undefined;
  return ID_NAME.test(name) && (isText || (type === 'array' && plainSchema(document, items ?? {}).type === 'string'));
};

function slotsOf(operation: Operation): Slot[] {
  const ownPath = (own: Fixtures) => pathOf(operation, (name) => fixtureId(operation, name, own));
  const parameters = operation.parameters.flatMap(({ name, in: location, schema }): Slot[] => {
    if (location === 'header' || (location === 'query' && !canContainId(name, schema))) return [];
    const pathWith = (own: Fixtures, id: string) =>
      location === 'query'
        ? `${ownPath(own)}?${name}=${id}`
        : pathOf(operation, (each) => (each === name ? id : fixtureId(operation, each, own)));
    const send: Slot['send'] = (client, own, id) =>
      client.request(operation.method, pathWith(own, id), operation.body && smallestBody(document, operation.body.schema, own));
    return [{ name: `${operation.id} ${location} ${name}`, operation, send }];
  });
  const fields = operation.body ? fieldsOf(document, operation.body.schema) : [];
  const inBody = fields.flatMap(({ pointer, schema, within }): Slot[] => {
    if (!canContainId(pointer.slice(pointer.lastIndexOf('/') + 1), schema)) return [];
    const isList = plainSchema(document, schema).type === 'array';
    const send: Slot['send'] = (client, own, id) =>
      client.request(operation.method, ownPath(own), within(own, isList ? [id] : id));
    return [{ name: `${operation.id} body ${pointer}`, operation, send }];
  });
  return [...parameters, ...inBody];
}

const slots = operationsOf(document)
  .filter(({ path, isPublic }) => path.startsWith('/v1/') && !isPublic)
  .flatMap(slotsOf);

describe('an ID of another tenant', () => {
  const app = testApp();
  let own: Fixtures;
  let key: TestClient;
  let foreign: Fixtures;
  let before: string;
  let areFixturesUsed = false;

  beforeAll(async () => {
    foreign = await createFixtures(app);
    before = await rowsOf(foreign.organization);
    await renewOwn();
  });

  async function renewOwn(): Promise<void> {
    own = await createFixtures(app);
    const path = `/v1/organizations/${own.organization}/api-keys`;
    key = app.api.as((await app.api.platform.post(path, { name: 'all', scopes: ['*'] }).expect(201)).body.data.key);
    areFixturesUsed = false;
  }

  /** Returns the rows of a tenant. Tables that background jobs write are excluded. */
  async function rowsOf(tenant: string): Promise<string> {
    const tables = [
      'organizations',
      'users',
      'memberships',
      'role_assignments',
      'roles',
      'webhooks',
      'api_keys',
      'sessions',
      'scim_tokens',
    ];
    const ofCrudResources = CRUD_RESOURCES.map(({ collection }) => collection.replaceAll('-', '_'));
    const rows = [...tables, 'identity_providers', 'directory_entries', ...ofCrudResources].map((table) =>
      app.database.query(`SELECT t::text FROM ${table} t WHERE tenant_id = $1 ORDER BY 1`, [tenant]),
    );
    return JSON.stringify(await Promise.all(rows));
  }

  /** IDs of another tenant, each with a nonexistent ID of the same kind. `slotNames` matches the parameters and fields for IDs of this kind. */
  const foreignIds = () => [
    { id: foreign.organization, nonexistent: newId('organization'), slotNames: /org|parent/i },
    { id: foreign.user, nonexistent: newId('user'), slotNames: /user|actor|member/i },
    { id: foreign.role, nonexistent: newId('role'), slotNames: /role|reassign/i },
    { id: foreign.webhook, nonexistent: newId('webhook'), slotNames: /webhook/i },
    { id: foreign.apiKey, nonexistent: newId('apiKey'), slotNames: /key/i },
    { id: foreign.identityProvider, nonexistent: newId('identityProvider'), slotNames: /provider/i },
    { id: foreign.event, nonexistent: newId('event'), slotNames: /event|after/i },
    { id: foreign.scimToken, nonexistent: newId('scimToken'), slotNames: /token/i },
    { id: foreign.session, nonexistent: newId('session'), slotNames: /session/i },
    ...CRUD_RESOURCES.map(({ collection, name }) => {
      const id = foreign.crud[collection]!;
      return { id, nonexistent: newIdLike(id), slotNames: new RegExp(name.replaceAll('_', '[-_]?'), 'i') };
    }),
  ];

  /** Returns all IDs in `npm run test:all`. In `npm test`, returns the IDs that match the name of the slot, and one more ID. */
  function sampleFor({ name }: Slot) {
    const all = foreignIds();
    const few = all.filter(({ slotNames }, index) => slotNames.test(name) || index === name.length % all.length);
    return sized(few, all, all);
  }

  /** Sends the ID in the slot. Replaces the ID and the request ID in the response. */
  async function responseTo({ name, operation, send }: Slot, id: string): Promise<{ status: number; text: string }> {
    if (areFixturesUsed) await renewOwn();
    const { status, body } = await send(operation.isOwnAccount ? own.person.client : key, own, id);
    // An external ID is unique in its organization.
    areFixturesUsed = status < 300 && (removesFixtures(operation) || name.endsWith('externalId'));
    const text = JSON.stringify(body ?? null);
    return { status, text: text.replaceAll(id, 'ID').replaceAll(/req_[0-9a-z]{26}/g, 'REQUEST') };
  }

  it('is tested in more than 100 parameters and body fields', () => {
    expect(slots.length).toBeGreaterThan(100);
    expect(slots.filter(({ name }) => name.includes(' body ')).length).toBeGreaterThan(8);
  });

  it.each(slots)('gets the response of a nonexistent ID in $name', async (slot) => {
    for (const { id, nonexistent } of sampleFor(slot)) {
      const [response, reference] = [await responseTo(slot, id), await responseTo(slot, nonexistent)];
      expect([id, response.status]).toEqual([id, reference.status]);
      if (response.status >= 400) expect([id, response.text]).toEqual([id, reference.text]);
      const foreignValues = [...foreignIds().map((each) => each.id), foreign.person.email];
      expect([id, foreignValues.filter((value) => response.text.includes(value))]).toEqual([id, []]);
    }
  });

  it('changes no rows', async () => {
    expect(await rowsOf(foreign.organization)).toBe(before);
  });
});
