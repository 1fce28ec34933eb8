import fc from 'fast-check';
import { type Document, type Operation, plainSchema, type Schema } from '../support/operations.js';
import { type Fixtures } from './fixtures.js';
import { LOCAL_URL, smallestBody } from './request-bodies.js';

export interface RandomRequest {
  operation: Operation;
  /** The index of the fixtures with the resources of the request. */
  fixtures: number;
  /** The index of fixtures in a second organization. */
  otherFixtures: number;
  /** Whether the path contains an ID of `fixtures` and an ID of `otherFixtures`. */
  mixesOrganizations: boolean;
  /** Encoded path parameters that match no resource. The other path parameters are IDs of the fixtures. */
  ids: Record<string, string>;
  credential: { kind: 'platform' | 'nobody' | 'garbage'; token: string };
  query: string;
  body?: string;
  headers: Record<string, string>;
}

const often = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 9) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  "'; DROP TABLE users; --",
  '../../etc/passwd',
  '{{7*7}}',
  '__proto__',
  '%00',
  'null',
  'role_owner',
  '\r\nx: y',
  '🙂'.repeat(80),
  'ß'.repeat(300),
];
const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));

/** Any JSON value, including a value that tries to modify the prototype of an object. */
const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  hostileText,
  fc.constant(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}')),
);

/** Generates requests to an operation. Most requests are valid or almost valid. */
export function randomRequests(document: Document, operation: Operation): fc.Arbitrary<RandomRequest> {
  return fc.record({
    operation: fc.constant(operation),
    fixtures: fc.nat(100),
    otherFixtures: fc.nat(100),
    mixesOrganizations: often(fc.constant(false), fc.constant(true)),
    ids: malformedIds(operation),
    credential: often<RandomRequest['credential']>(
      fc.constant({ kind: 'platform', token: '' }),
      fc.oneof(fc.constant({ kind: 'nobody' as const, token: '' }), garbageCredential),
    ),
    query: queryOf(document, operation),
    body: bodyOf(document, operation),
    headers: headersOf(operation),
  });
}

/** Returns the valid request to an operation with the smallest body. */
export function smallestRequest(document: Document, operation: Operation, index: number, fixtures: Fixtures): RandomRequest {
  const { body, parameters } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }) => `${name}=${name === 'organization' ? fixtures.organization : String(example)}`);
  return {
    operation,
    fixtures: index,
    otherFixtures: index,
    mixesOrganizations: false,
    ids: {},
    credential: { kind: 'platform', token: '' },
    query: query.length > 0 ? `?${query.join('&')}` : '',
    body: body && JSON.stringify(smallestBody(document, body.schema, fixtures)),
    headers: body ? { 'content-type': 'application/json' } : {},
  };
}

const headerText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 300,
});
const garbageCredential = headerText.map((token) => ({ kind: 'garbage' as const, token }));

function malformedIds(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const malformed = fc.oneof(
    hostileText.filter((text) => text.isWellFormed() && !/^\.{0,2}$/.test(text)).map((text) => encodeURIComponent(text)),
    fc.constantFrom(
      '%',
      '%E0%A4%A',
      '..%2f..%2f',
      'x'.repeat(3_000),
      'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
      'org_00000000000000000000000000',
    ),
  );
  const entry = often(fc.constant(undefined), malformed);
  return fc.record(Object.fromEntries(names.map((name) => [name, entry]))).map(withoutAbsent) as fc.Arbitrary<
    Record<string, string>
  >;
}

const withoutAbsent = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

function queryOf(document: Document, operation: Operation): fc.Arbitrary<string> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pair = ({ name, schema }: { name: string; schema: Schema }) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      {
        weight: 3,
        arbitrary: mostlyValidValue(document, name, schema).map(
          (value) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
        ),
      },
      { weight: 1, arbitrary: hostileText.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`) },
    );
  const extra = often(
    fc.constant(''),
    fc.constantFrom('no_such=1', 'limit=1&limit=2', '%', '&&&', 'a[b]=c', '__proto__=1', '?', '%00=%00'),
    20,
  );
  return fc.tuple(...parameters.map(pair), extra).map((pairs) => {
    const text = pairs.filter((each) => each !== '').join('&');
    return text === '' ? '' : `?${text}`;
  });
}

function bodyOf(document: Document, operation: Operation): fc.Arbitrary<string | undefined> {
  const valid = operation.body
    ? mostlyValidBody(document, operation.body.schema).map((body) => JSON.stringify(body))
    : fc.constant(undefined);
  const broken = fc.oneof(
    anyJson.map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 50 }),
    fc.constantFrom(
      '{',
      '{"a":',
      '[1,',
      'nul',
      '"text"',
      '{"a":1}{"b":2}',
      '\ufeff{}',
      '{"name":1e999}',
      '['.repeat(50_000),
      `{"name":"${'x'.repeat(300_000)}"}`,
      '{"a":'.repeat(40) + '1' + '}'.repeat(40),
    ),
  );
  return often<string | undefined>(valid, broken, 12);
}

function headersOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const type = operation.body
    ? often(
        fc.constant('application/json'),
        fc.constantFrom(
          'text/plain',
          'application/json; charset=utf-16',
          'application/xml',
          'multipart/form-data',
          'application/merge-patch+json',
          'x',
          undefined,
        ),
        20,
      )
    : fc.constantFrom('application/json', undefined);
  const optional = (value: fc.Arbitrary<string>) => often<string | undefined>(fc.constant(undefined), value, 15);
  return fc
    .record({
      'content-type': type,
      'idempotency-key': optional(headerText),
      'x-request-id': optional(headerText),
      'if-match': optional(headerText),
      'content-encoding': optional(fc.constantFrom('gzip', 'br', 'identity', 'x')),
      accept: optional(fc.constantFrom('text/html', '*/*', 'application/xml', 'x')),
      'user-agent': optional(headerText),
      'x-forwarded-for': optional(headerText),
    })
    .map(withoutAbsent) as fc.Arbitrary<Record<string, string>>;
}

/** Generates a body of the schema. Most fields are valid. Some fields are absent, null, unknown or of a wrong type. */
function mostlyValidBody(document: Document, schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = plainSchema(document, schema);
  const fields = Object.entries(properties).map(([name, inner]) => {
    const valid = mostlyValidValue(document, name, inner);
    const other = fc.oneof(fc.constant(null), anyJson);
    const present = often<unknown>(valid, other, 25);
    return [
      name,
      required.includes(name)
        ? often<unknown>(present, fc.constant(undefined), 40)
        : fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: present }),
    ] as const;
  });
  const more = often(fc.constant({}), fc.dictionary(hostileText, anyJson, { maxKeys: 2 }), 40);
  return fc.tuple(fc.record(Object.fromEntries(fields)), more).map(([body, extra]) => ({ ...withoutAbsent(body), ...extra }));
}

function mostlyValidValue(document: Document, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const plain = plainSchema(document, schema);
  const text = often(
    fc.string({ unit: 'grapheme', minLength: plain.minLength ?? 0, maxLength: Math.min(plain.maxLength ?? 40, 40) }),
    hostileText,
    6,
  );
  const special: Record<string, fc.Arbitrary<unknown>> = {
    email: often(
      fc.uuid().map((id) => `${id}@example.com`),
      fc.constantFrom('A@Example.com', 'existing@example.com', 'x@localhost'),
    ),
    userId: fc.constant('$user'),
    url: often(
      fc.constant(LOCAL_URL),
      fc.constantFrom(
        'http://10.0.0.1/',
        'https://[::1]:1/',
        'ftp://127.0.0.1',
        'https://a:b@127.0.0.1/',
        'http://169.254.169.254/latest',
        'https://127.1',
      ),
    ),
    parentId: often(fc.constant('$organization'), fc.constantFrom('null', 'existing', 'no-such')),
    slug: often(fc.uuid(), text),
    roles: fc.subarray(['role_member', 'admin', 'viewer', 'no such role']),
    role: fc.constantFrom('admin', 'role_viewer', 'member', 'no such role'),
    roleId: fc.constantFrom('admin', 'role_viewer', 'role_member', 'no such role'),
    defaultRole: fc.constantFrom('admin', 'role_viewer', 'no such role'),
    expiresAt: fc.constantFrom('2090-01-01T00:00:00Z', '2001-01-01', '9999-12-31T23:59:59.999Z', '+275760-01-01T00:00:00Z'),
    headers: fc.dictionary(
      fc.constantFrom('x-team', 'Authorization', 'host', 'bad name', 'content-length'),
      often<string>(fc.constant('value'), hostileText),
      { maxKeys: 2 },
    ),
    metadata: fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
  };
  if (name in special) return special[name]!;
  if (plain.enum) return fc.constantFrom(...plain.enum);
  if (plain.properties) return mostlyValidBody(document, schema);
  if (plain.type === 'boolean') return fc.boolean();
  if (plain.type === 'integer') return fc.integer({ min: plain.minimum ?? 0, max: plain.maximum ?? 1_000 });
  if (plain.type === 'array')
    return plain.items?.enum
      ? fc.subarray([...plain.items.enum])
      : fc.array(mostlyValidValue(document, '', plain.items ?? {}), { maxLength: 4 });
  return plain.example === undefined ? text : often<unknown>(fc.constant(plain.example), text, 2);
}
