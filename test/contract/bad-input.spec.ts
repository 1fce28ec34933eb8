import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestApp, startApp } from '../support/app.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { generatedDocument, type Operation, operationsOf, pathOf, plainSchema, type Schema } from '../support/operations.js';
import { everyNth, sized } from '../support/test-size.js';
import { hostileParameters, hostileValues } from './hostile-values.js';
import { createFixtures, fixtureId, type Fixtures } from './fixtures.js';
import { smallestBody } from './request-bodies.js';

const document = await generatedDocument();
const operations = operationsOf(document);

/** A field of a request body, at any depth. `within` returns the smallest body in which the field has a value. */
interface Field {
  pointer: string;
  schema: Schema;
  required: boolean;
  within(fixtures: Fixtures, value: unknown): Record<string, unknown>;
}

function fieldsOf(schema: Schema, at = '', wrap = (_: Fixtures, inner: Record<string, unknown>) => inner): Field[] {
  const { properties = {}, required = [] } = plainSchema(document, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const pointer = `${at}/${name}`;
    const within: Field['within'] = (fixtures, value) => {
      const body = { ...smallestBody(document, schema, fixtures), [name]: value };
      if (value === undefined) delete body[name];
      return wrap(fixtures, body);
    };
    const plain = plainSchema(document, property);
    const items = plain.type === 'array' && plain.items?.$ref ? plain.items : undefined;
    return [
      { pointer, schema: property, required: required.includes(name), within },
      ...(plain.properties ? fieldsOf(property, pointer, within) : []),
      ...(items ? fieldsOf(items, `${pointer}/0`, (fixtures, inner) => within(fixtures, [inner])) : []),
    ];
  });
}

const bodyFields = operations.flatMap((operation) =>
  operation.body
    ? fieldsOf(operation.body.schema).map((field) => ({ name: `${operation.id} ${field.pointer}`, operation, field }))
    : [],
);
const queryParameters = operations.flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ name: `${operation.id} ?${parameter.name}`, operation, parameter })),
);

/** Fields with secrets, tokens and ids of other systems, which are taken as they are. */
const EXACT = /\/(?:\w*[pP]assword|\w*[sS]ecret|\w*[tT]oken|state|code|challenge\w*|id|(?!external)\w+Id)$/;
/** Fields of one line. Descriptions and reasons can have several. */
const LINE = /\/(?:name|\w+Name|type)$/;

/** Returns the fields that responses contain and requests must not contain, such as IDs and times. */
function responseOnlyFields(id: string): string[] {
  const operation = operations.find((candidate) => candidate.id === id)!;
  const requestFields = Object.keys(plainSchema(document, operation.body!.schema).properties ?? {});
  const responseFields = Object.values(operation.responses).flatMap(({ content }) => {
    const { data } = plainSchema(document, content?.['application/json']?.schema ?? {}).properties ?? {};
    return Object.keys(plainSchema(document, data ?? {}).properties ?? {});
  });
  return [...new Set(responseFields)].filter((name) => !requestFields.includes(name));
}

/** Error codes of valid bodies: the current state does not allow the request, or a token, code or password is only an example. */
const STATE_ERRORS = new Set([
  'invitation_invalid',
  'sign_up_closed',
  'reauthentication_required',
  'mfa_challenge_invalid',
  'mfa_method_not_allowed',
  'mfa_not_confirmed',
  'mfa_factor_not_found',
  'passkey_not_found',
  'current_password_wrong',
  'reauthentication_locked',
  'break_glass_request_not_found',
  'identity_provider_not_found',
]);

/** Returns all values in `npm run test:all`, and every third value in `npm test`. The first value depends on the name of the field. */
const sampleOf = <Value>(values: readonly Value[], fieldName: string): Value[] =>
  everyNth(values, sized(3, 1, 1), fieldName.length);

describe('request validation', () => {
  let app: TestApp;
  let fixtures: Fixtures;
  beforeAll(async () => {
    app = await startApp();
    fixtures = await createFixtures(app);
  });
  afterAll(() => app.close());

  const pathTo = (operation: Operation) => pathOf(operation, (name) => fixtureId(operation, name, fixtures));
  const clientFor = ({ isOwnAccount }: Operation): TestClient => (isOwnAccount ? fixtures.person.client : app.api.platform);
  const send = (operation: Operation, body: unknown): Promise<TestResponse> =>
    clientFor(operation).raw(operation.method, pathTo(operation), JSON.stringify(body), { 'content-type': 'application/json' });

  /** Creates new fixtures after an operation that removes resources. */
  async function renewAfter({ id }: Operation): Promise<void> {
    if (/^(?:suspend|delete|remove|revoke|rotate|logout|changePassword)/.test(id)) fixtures = await createFixtures(app);
  }

  /** Returns the problems of a response that must reject only the field with this pointer. */
  function rejectionProblems(
    why: string,
    response: TestResponse,
    pointer: string,
    location: 'body' | 'query',
    code?: string,
  ): string[] {
    const fieldPointers = (response.body?.errors ?? []).map(
      (error: { pointer: string; in: string }) => `${error.in} ${error.pointer}`,
    );
    const isRejected =
      response.status === 400 &&
      response.headers.get('content-type')?.startsWith('application/problem+json') &&
      JSON.stringify(fieldPointers) === JSON.stringify([`${location} ${pointer}`]) &&
      response.body.errors[0].message.length > 0 &&
      (code === undefined || response.body.errors[0].code === code);
    return isRejected
      ? []
      : [`${why}: ${response.status} ${response.body?.code} ${JSON.stringify(response.body?.errors)?.slice(0, 300)}`];
  }

  /** Returns whether the body was valid: the operation succeeded, or only the current state rejected the request. */
  const isValidBody = ({ status, body }: TestResponse): boolean => status < 300 || status === 409 || STATE_ERRORS.has(body?.code);

  it('is tested with more than 80 body fields', () => {
    expect(bodyFields.length).toBeGreaterThan(80);
    expect(queryParameters.length).toBeGreaterThan(30);
  });

  it.each(bodyFields)('rejects invalid values of the body field $name', async ({ name, operation, field }) => {
    const problems: string[] = [];
    for (const { why, value, path } of sampleOf(hostileValues(document, field.schema, EXACT.test(field.pointer)), name)) {
      problems.push(
        ...rejectionProblems(why, await send(operation, field.within(fixtures, value)), field.pointer + path, 'body'),
      );
    }
    if (plainSchema(document, field.schema).properties) {
      const response = await send(operation, field.within(fixtures, { no_such_field: 1 }));
      const fieldPointers = (response.body?.errors ?? []).map(
        (error: { pointer: string; code: string }) => `${error.code} ${error.pointer}`,
      );
      if (!fieldPointers.includes(`unknown_field ${field.pointer}/no_such_field`))
        problems.push(`an unknown field: ${response.status} ${fieldPointers}`);
    }
    expect(problems).toEqual([]);
  });

  it('accepts no line breaks in names', async () => {
    const names = bodyFields.filter(
      ({ field }) => LINE.test(field.pointer) && plainSchema(document, field.schema).enum === undefined,
    );
    expect(names.length).toBeGreaterThan(20);
    for (const { name, operation, field } of names)
      for (const value of ['two\nlines', 'two\r\nlines', 'a\tb'])
        expect([
          name,
          rejectionProblems('a line break', await send(operation, field.within(fixtures, value)), field.pointer, 'body'),
        ]).toEqual([name, []]);
  });

  it.each(bodyFields)('accepts a missing value only if the body field $name is optional', async ({ operation, field }) => {
    const withNull = await send(operation, field.within(fixtures, null));
    await renewAfter(operation);
    const without = await send(operation, field.within(fixtures, undefined));
    await renewAfter(operation);
    if (field.required) {
      expect(rejectionProblems('null', withNull, field.pointer, 'body', 'required')).toEqual([]);
      expect(rejectionProblems('absent', without, field.pointer, 'body', 'required')).toEqual([]);
    } else {
      expect([withNull.body?.errors, isValidBody(withNull)]).toEqual([undefined, true]);
      expect([without.body?.errors, isValidBody(without)]).toEqual([undefined, true]);
    }
  });

  it.each(operations.filter(({ body }) => body))(
    'rejects unknown body fields and other media types in the operation $id',
    async (operation) => {
      const body = smallestBody(document, operation.body!.schema, fixtures);
      for (const name of ['no_such_field', 'constructor', 'a/b~c', 'toString']) {
        const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        expect(rejectionProblems(name, await send(operation, { ...body, [name]: 1 }), pointer, 'body', 'unknown_field')).toEqual(
          [],
        );
      }
      const hidden = `{"__proto__":{"admin":true},${JSON.stringify(body).slice(1)}`.replace(',}', '}');
      const isRejected = await clientFor(operation).raw(operation.method, pathTo(operation), hidden, {
        'content-type': 'application/json',
      });
      expect(rejectionProblems('__proto__', isRejected, '/__proto__', 'body', 'unknown_field')).toEqual([]);
      await renewAfter(operation);
      // The media types that a form of another site can send.
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])
        expect([
          type,
          (await clientFor(operation).raw(operation.method, pathTo(operation), JSON.stringify(body), { 'content-type': type }))
            .status,
        ]).toEqual([type, 415]);
      for (const other of [[], [body], 'text', 5, true])
        expect([other, (await send(operation, other)).status]).toEqual([other, 400]);
    },
  );

  const withResponseOnlyFields = operations.filter(({ body, id }) => body && responseOnlyFields(id).length > 0);
  it.each(withResponseOnlyFields)('rejects response-only body fields in the operation $id', async (operation) => {
    const only = responseOnlyFields(operation.id);
    const body = smallestBody(document, operation.body!.schema, fixtures);
    const response = await send(operation, { ...body, ...Object.fromEntries(only.map((name) => [name, true])) });
    const isRejected = (response.body?.errors ?? []).map(
      (error: { pointer: string; code: string }) => `${error.code} ${error.pointer}`,
    );
    expect([response.status, isRejected.toSorted()]).toEqual([400, only.map((name) => `unknown_field /${name}`).toSorted()]);
  });

  it.each(queryParameters)('rejects invalid values of the query parameter $name', async ({ name, operation, parameter }) => {
    const problems: string[] = [];
    const sendQuery = (query: string) =>
      clientFor(operation).raw(operation.method, `${pathTo(operation)}?${query}`, undefined, {});
    const parameterWith = (value: unknown) => `${parameter.name}=${encodeURIComponent(String(value))}`;
    for (const { why, value } of sampleOf(hostileParameters(document, parameter.schema), name)) {
      if (String(value).length > 10_000) continue;
      problems.push(...rejectionProblems(why, await sendQuery(parameterWith(value)), `/${parameter.name}`, 'query'));
    }
    problems.push(
      ...rejectionProblems(
        'twice',
        await sendQuery(`${parameterWith('1')}&${parameterWith('2')}`),
        `/${parameter.name}`,
        'query',
      ),
    );
    expect(problems).toEqual([]);
  });

  it.each(operations.filter(({ parameters }) => parameters.some((each) => each.in === 'query')))(
    'rejects unknown query parameters in the operation $id',
    async (operation) => {
      const required = operation.parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name, schema, example }) => `&${name}=${encodeURIComponent(String(example ?? schema.example))}`)
        .join('');
      for (const name of ['no_such_parameter', '__proto__', 'limit[]']) {
        const path = `${pathTo(operation)}?${encodeURIComponent(name)}=1${required}`;
        const response = await clientFor(operation).raw(operation.method, path, undefined, {});
        expect(rejectionProblems(name, response, `/${name}`, 'query', 'unknown_field')).toEqual([]);
      }
    },
  );

  const MALFORMED_IDS = [
    'x'.repeat(4_000),
    '%00',
    'a%00b',
    '%F0%9F%98%80',
    '..%2f',
    '%2e%2e%2f%2e%2e',
    '%E0%A4%A',
    '%',
    '%ED%A0%80',
    '%0d%0a',
    "'%20OR%201=1--",
    '__proto__',
    '-',
    'usr_',
    'ORG_01',
  ];
  const withPath = operations.flatMap((operation) =>
    operation.parameters
      .filter((each) => each.in === 'path')
      .map((parameter) => ({ name: `${operation.id} {${parameter.name}}`, operation, parameter })),
  );

  it.each(withPath)('rejects malformed IDs in the path parameter $name', async ({ name, operation, parameter }) => {
    const body = operation.body && JSON.stringify(smallestBody(document, operation.body.schema, fixtures));
    const longest = parameter.schema.maxLength ?? 0;
    for (const value of ['x'.repeat(longest + 1), ...sampleOf(MALFORMED_IDS, name)]) {
      const path = pathOf(operation, (each) => (each === parameter.name ? value : fixtureId(operation, each, fixtures)));
      const response = await clientFor(operation).raw(
        operation.method,
        path,
        body,
        body ? { 'content-type': 'application/json' } : {},
      );
      expect([value.slice(0, 40), [400, 404].includes(response.status) || response.status, response.body?.status]).toEqual([
        value.slice(0, 40),
        true,
        response.status,
      ]);
    }
  });
});
