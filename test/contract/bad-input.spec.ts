// Processor time: several thousand requests, for the invalid values of each body field and parameter.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { generatedDocument, type Operation, operationsOf, pathOf, plainSchema } from '../support/operations.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { testApp } from '../support/test-app.js';
import { everyNth, sized } from '../support/test-size.js';
import { hostileParameters, hostileValues } from './hostile-values.js';
import { createFixtures, fixtureId, type Fixtures, removesFixtures } from './fixtures.js';
import { fieldsOf, requiredQuery, smallestBody } from './request-bodies.js';

const document = await generatedDocument();
const operations = operationsOf(document);
const schemas = new ResponseSchemas(document);

/** Addresses of webhooks are checked when they are written. Plans of a configuration are valid and name them as problems. */
const PLANNED = /^\/document\/.*\/webhooks\/0\/url$/;

const bodyFields = operations.flatMap((operation) =>
  operation.body
    ? fieldsOf(document, operation.body.schema)
        .filter(({ pointer }) => !PLANNED.test(pointer))
        .map((field) => ({ name: `${operation.id} ${field.pointer}`, operation, field }))
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
  'oauth_device_request_not_found',
  'identity_provider_not_found',
  // The state in the example is none of a plan.
  'configuration_changed',
]);

/** Returns all values in `npm run test:all`, and every fourth value in `npm test`. The first value depends on the name of the field. */
const sampleOf = <Value>(values: readonly Value[], fieldName: string): Value[] =>
  everyNth(values, sized(4, 1, 1), fieldName.length);

const UNKNOWN_FIELDS = ['no_such_field', 'constructor', 'a/b~c', 'toString'];
/** The media types that a form of another site can send. */
const OTHER_TYPES = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'];
const OTHER_BODIES = ['[]', '[{}]', '"text"', '5', 'true', '{', '{"a":', '[1,', 'nul', '{"a":1}{"b":2}'];

const errorsOf = ({ body }: TestResponse): Record<'in' | 'pointer' | 'code' | 'message', string>[] => body?.errors ?? [];
const codesOf = (response: TestResponse): string[] => errorsOf(response).map(({ code, pointer }) => `${code} ${pointer}`);

describe('request validation', () => {
  const app = testApp();
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures(app);
  });

  const pathTo = (operation: Operation) => pathOf(operation, (name) => fixtureId(operation, name, fixtures));
  const clientFor = ({ isOwnAccount }: Operation): TestClient => (isOwnAccount ? fixtures.person.client : app.api.platform);
  const sendText = (operation: Operation, body: string, type = 'application/json'): Promise<TestResponse> =>
    clientFor(operation).raw(operation.method, pathTo(operation), body, { 'content-type': type });
  const send = (operation: Operation, body: unknown): Promise<TestResponse> => sendText(operation, JSON.stringify(body));

  /** Creates new fixtures after a request that removed a resource. */
  async function renewAfter(operation: Operation, { status }: TestResponse): Promise<void> {
    if (status < 300 && removesFixtures(operation)) fixtures = await createFixtures(app);
  }

  /** Returns the problems of a response that must reject only this field, such as `body /name`. */
  function rejectionProblems(operation: Operation, why: string, response: TestResponse, field: string, code?: string): string[] {
    const [error, ...others] = errorsOf(response);
    const isRejected =
      response.status === 400 &&
      others.length === 0 &&
      error !== undefined &&
      `${error.in} ${error.pointer}` === field &&
      error.message !== '' &&
      (code ?? error.code) === error.code;
    if (isRejected) return schemas.problemsWith(operation, response);
    return [`${why}: ${response.status} ${response.body?.code} ${JSON.stringify(response.body?.errors)?.slice(0, 300)}`];
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
        ...rejectionProblems(
          operation,
          why,
          await send(operation, field.within(fixtures, value)),
          `body ${field.pointer}${path}`,
        ),
      );
    }
    if (plainSchema(document, field.schema).properties) {
      const response = await send(operation, field.within(fixtures, { no_such_field: 1 }));
      if (!codesOf(response).includes(`unknown_field ${field.pointer}/no_such_field`))
        problems.push(`an unknown field: ${response.status} ${codesOf(response)}`);
    }
    expect(problems).toEqual([]);
  });

  it('accepts no line breaks in names', async () => {
    const names = bodyFields.filter(
      ({ field }) => LINE.test(field.pointer) && plainSchema(document, field.schema).enum === undefined,
    );
    expect(names.length).toBeGreaterThan(20);
    for (const { name, operation, field } of names)
      for (const value of everyNth(['two\nlines', 'two\r\nlines', 'a\tb'], sized(3, 1, 1), name.length))
        expect([
          name,
          rejectionProblems(operation, value, await send(operation, field.within(fixtures, value)), `body ${field.pointer}`),
        ]).toEqual([name, []]);
  });

  it.each(bodyFields)('accepts a missing value only if the body field $name is optional', async ({ operation, field }) => {
    const withNull = await send(operation, field.within(fixtures, null));
    await renewAfter(operation, withNull);
    const without = await send(operation, field.within(fixtures, undefined));
    await renewAfter(operation, without);
    if (field.required) {
      expect(rejectionProblems(operation, 'null', withNull, `body ${field.pointer}`, 'required')).toEqual([]);
      expect(rejectionProblems(operation, 'absent', without, `body ${field.pointer}`, 'required')).toEqual([]);
    } else {
      expect([withNull.body?.errors, isValidBody(withNull)]).toEqual([undefined, true]);
      expect([without.body?.errors, isValidBody(without)]).toEqual([undefined, true]);
    }
  });

  it.each(operations.filter(({ body }) => body))(
    'rejects unknown body fields and other media types in the operation $id',
    async (operation) => {
      const body = smallestBody(document, operation.body!.schema, fixtures);
      for (const name of sampleOf(UNKNOWN_FIELDS, operation.id)) {
        const field = `body /${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        expect(rejectionProblems(operation, name, await send(operation, { ...body, [name]: 1 }), field, 'unknown_field')).toEqual(
          [],
        );
      }
      const hidden = `{"__proto__":{"admin":true},${JSON.stringify(body).slice(1)}`.replace(',}', '}');
      expect(
        rejectionProblems(operation, '__proto__', await sendText(operation, hidden), 'body /__proto__', 'unknown_field'),
      ).toEqual([]);
      for (const type of everyNth(OTHER_TYPES, sized(3, 1, 1), operation.id.length))
        expect([type, (await sendText(operation, JSON.stringify(body), type)).status]).toEqual([type, 415]);
      for (const other of sampleOf(OTHER_BODIES, operation.id))
        expect([other, (await sendText(operation, other)).status]).toEqual([other, 400]);
    },
  );

  const withResponseOnlyFields = operations.filter(({ body, id }) => body && responseOnlyFields(id).length > 0);
  it.each(withResponseOnlyFields)('rejects response-only body fields in the operation $id', async (operation) => {
    const only = responseOnlyFields(operation.id);
    const body = smallestBody(document, operation.body!.schema, fixtures);
    const response = await send(operation, { ...body, ...Object.fromEntries(only.map((name) => [name, true])) });
    expect([response.status, codesOf(response).toSorted()]).toEqual([
      400,
      only.map((name) => `unknown_field /${name}`).toSorted(),
    ]);
  });

  it.each(queryParameters)('rejects invalid values of the query parameter $name', async ({ name, operation, parameter }) => {
    const problems: string[] = [];
    const sendQuery = (query: string) =>
      clientFor(operation).raw(operation.method, `${pathTo(operation)}?${query}`, undefined, {});
    const field = `query /${parameter.name}`;
    const parameterWith = (value: unknown) => `${parameter.name}=${encodeURIComponent(String(value))}`;
    for (const { why, value } of sampleOf(hostileParameters(document, parameter.schema), name)) {
      if (String(value).length > 10_000) continue;
      problems.push(...rejectionProblems(operation, why, await sendQuery(parameterWith(value)), field));
    }
    const twice = await sendQuery(`${parameterWith('1')}&${parameterWith('2')}`);
    problems.push(...rejectionProblems(operation, 'twice', twice, field));
    expect(problems).toEqual([]);
  });

  it.each(operations.filter(({ parameters }) => parameters.some((each) => each.in === 'query')))(
    'rejects unknown query parameters in the operation $id',
    async (operation) => {
      for (const name of ['no_such_parameter', '__proto__', 'limit[]']) {
        const path = `${pathTo(operation)}?${encodeURIComponent(name)}=1&${requiredQuery(operation)}`;
        const response = await clientFor(operation).raw(operation.method, path, undefined, {});
        expect(rejectionProblems(operation, name, response, `query /${name}`, 'unknown_field')).toEqual([]);
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
    const body = operation.body && smallestBody(document, operation.body.schema, fixtures);
    const longest = parameter.schema.maxLength ?? 0;
    // The issuer is a part of a redirect URI, which the state of a sign-in must belong to.
    const unknown = parameter.name === 'issuer' ? 401 : 404;
    for (const value of ['x'.repeat(longest + 1), ...everyNth(MALFORMED_IDS, sized(7, 1, 1), name.length)]) {
      const path = pathOf(operation, (each) => (each === parameter.name ? value : fixtureId(operation, each, fixtures)));
      const response = await clientFor(operation).request(operation.method, path, body);
      expect([value.slice(0, 40), [400, unknown].includes(response.status) || response.status, response.body?.status]).toEqual([
        value.slice(0, 40),
        true,
        response.status,
      ]);
    }
  });
});
