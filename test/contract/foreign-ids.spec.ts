import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ID_PREFIXES, isId, newId, type ResourceKind } from '#platform/common';
import { type TestApp, startApp } from '../support/app.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { generatedDocument, type Operation, operationsOf, pathOf, plainSchema, type Schema } from '../support/operations.js';
import { sized } from '../support/test-size.js';
import { CRUD_RESOURCES } from './crud-resources.js';
import { createFixtures, fixtureId, type Fixtures } from './fixtures.js';
import { smallestBody } from './request-bodies.js';

const document = await generatedDocument();

/** Names of parameters and fields that can contain an ID. */
const NAMES_SOMETHING = /ids?$|^after$|role|parent|user|organization|webhook|actor|reassign|provider|session/i;

/** An ID of another tenant, a nonexistent ID of the same kind, and the names of parameters and fields that take IDs of this kind. */
interface ForeignId {
  id: string;
  unknown: string;
  suits: RegExp;
}

/** A parameter or field of a request that can contain an ID. */
interface Slot {
  name: string;
  operation: Operation;
  send(client: TestClient, own: Fixtures, id: string): Promise<TestResponse>;
}

/** Returns a new ID of the same kind. */
const newIdLike = (id: string): string => {
  const kind = Object.keys(ID_PREFIXES).find((each) => isId(each as ResourceKind, id));
  return newId(kind as ResourceKind);
};

const mayHoldId = (name: string, schema: Schema): boolean => {
  const { type, items, enum: choices, format } = plainSchema(document, schema);
  const isText = type === 'string' && choices === undefined && format === undefined;
  return NAMES_SOMETHING.test(name) && (isText || (type === 'array' && plainSchema(document, items ?? {}).type === 'string'));
};

function sent(operation: Operation, client: TestClient, own: Fixtures, path: string, body?: object): Promise<TestResponse> {
  const whole = operation.body && { ...smallestBody(document, operation.body.schema, own), ...body };
  const type: Record<string, string> = whole ? { 'content-type': 'application/json' } : {};
  return client.raw(operation.method, path, whole && JSON.stringify(whole), type);
}

/** Returns every parameter and field of an operation that can contain an ID. */
function slotsOf(operation: Operation): Slot[] {
  const ownPath = (own: Fixtures) => pathOf(operation, (name) => fixtureId(operation, name, own));
  const parameters = operation.parameters.flatMap(({ name, in: place, schema }): Slot[] => {
    if (place === 'header' || (place === 'query' && !mayHoldId(name, schema))) return [];
    const pathWith = (own: Fixtures, id: string) =>
      place === 'query'
        ? `${ownPath(own)}?${name}=${id}`
        : pathOf(operation, (each) => (each === name ? id : fixtureId(operation, each, own)));
    const send: Slot['send'] = (client, own, id) => sent(operation, client, own, pathWith(own, id));
    return [{ name: `${operation.id} ${place} ${name}`, operation, send }];
  });
  const fieldsIn = (schema: Schema, at: string, wrap: (value: object) => object): Slot[] =>
    Object.entries(plainSchema(document, schema).properties ?? {}).flatMap(([name, property]) => {
      const plain = plainSchema(document, property);
      const inner = plain.properties ? fieldsIn(property, `${at}/${name}`, (value) => wrap({ [name]: value })) : [];
      if (!mayHoldId(name, property)) return inner;
      const send: Slot['send'] = (client, own, id) =>
        sent(operation, client, own, ownPath(own), wrap({ [name]: plain.type === 'array' ? [id] : id }));
      return [{ name: `${operation.id} body ${at}/${name}`, operation, send }, ...inner];
    });
  return [...parameters, ...(operation.body ? fieldsIn(operation.body.schema, '', (value) => value) : [])];
}

const slots = operationsOf(document)
  .filter(({ path, security }) => path.startsWith('/v1/') && security?.length !== 0)
  .flatMap(slotsOf);

describe('an id of another tenant', () => {
  let app: TestApp;
  let own: Fixtures;
  let key: TestClient;
  let foreign: Fixtures;
  let before: string;
  let isUsedUp = false;

  beforeAll(async () => {
    app = await startApp();
    foreign = await createFixtures(app);
    before = await rowsOf(foreign.organization);
    await settle();
  });
  afterAll(() => app.close());

  async function settle(): Promise<void> {
    own = await createFixtures(app);
    const path = `/v1/organizations/${own.organization}/api-keys`;
    key = app.api.as((await app.api.platform.post(path, { name: 'all', scopes: ['*'] }).expect(201)).body.data.key);
    isUsedUp = false;
  }

  /** Returns all rows of a tenant, except rows that the service writes by itself as time passes. */
  async function rowsOf(tenant: string): Promise<string> {
    const tables = ['organizations', 'users', 'memberships', 'role_assignments', 'roles', 'webhooks', 'api_keys', 'sessions'];
    const ofCrudResources = CRUD_RESOURCES.map(({ collection }) => collection.replaceAll('-', '_'));
    const rows = [...tables, 'identity_providers', 'directory_entries', ...ofCrudResources].map((table) =>
      app.database.query(`SELECT t::text FROM ${table} t WHERE tenant_id = $1 ORDER BY 1`, [tenant]),
    );
    return JSON.stringify(await Promise.all(rows));
  }

  const foreignIds = (): ForeignId[] => [
    { id: foreign.organization, unknown: newId('organization'), suits: /org|parent/i },
    { id: foreign.user, unknown: newId('user'), suits: /user|actor|member/i },
    { id: foreign.role, unknown: newId('role'), suits: /role|reassign/i },
    { id: foreign.webhook, unknown: newId('webhook'), suits: /webhook/i },
    { id: foreign.apiKey, unknown: newId('apiKey'), suits: /key/i },
    { id: foreign.identityProvider, unknown: newId('identityProvider'), suits: /provider/i },
    { id: foreign.event, unknown: newId('event'), suits: /event|after/i },
    { id: foreign.session, unknown: newId('session'), suits: /session/i },
    ...CRUD_RESOURCES.map(({ collection, name }) => {
      const id = foreign.crud[collection]!;
      return { id, unknown: newIdLike(id), suits: new RegExp(name.replaceAll('_', '[-_]?'), 'i') };
    }),
  ];

  /** Returns all kinds of IDs in `npm run test:all`, and in `npm test` the kinds that suit the name, and one other kind. */
  function triedIn({ name }: Slot): ForeignId[] {
    const all = foreignIds();
    const few = all.filter(({ suits }, index) => suits.test(name) || index === name.length % all.length);
    return sized(few, all, all);
  }

  /** Returns the response without the ID that was sent and without the request ID. */
  async function answer({ operation, send }: Slot, id: string): Promise<{ status: number; shown: string }> {
    if (isUsedUp) await settle();
    const { status, body } = await send(operation.isOwnAccount ? own.person.client : key, own, id);
    isUsedUp = operation.method !== 'GET' && status < 300;
    const text = JSON.stringify(body ?? null);
    return { status, shown: text.replaceAll(id, 'ID').replaceAll(/req_[0-9a-z]{26}/g, 'REQUEST') };
  }

  it('can be sent in many parameters and fields', () => {
    expect(slots.length).toBeGreaterThan(100);
    expect(slots.filter(({ name }) => name.includes(' body ')).length).toBeGreaterThan(8);
  });

  it.each(slots)('in $name gets the same response as a nonexistent ID', async (slot) => {
    for (const { id, unknown } of triedIn(slot)) {
      const [given, reference] = [await answer(slot, id), await answer(slot, unknown)];
      expect([id, given.status]).toEqual([id, reference.status]);
      if (given.status >= 400) expect([id, given.shown]).toEqual([id, reference.shown]);
      const marks = [...foreignIds().map((each) => each.id), foreign.person.email];
      expect([id, marks.filter((mark) => given.shown.includes(mark))]).toEqual([id, []]);
    }
  });

  it('changes nothing in the other tenant', async () => {
    expect(await rowsOf(foreign.organization)).toBe(before);
  });
});
