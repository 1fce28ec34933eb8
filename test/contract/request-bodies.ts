import { randomUUID } from 'node:crypto';
import { type Document, type Operation, plainSchema, type Schema } from '../support/operations.js';

export interface BodyFixtures {
  organization: string;
  user: string;
  /** The ID of the new parent of a moved organization. Moves are the only operations that require a parent. */
  newParent?: string;
}

/** A URL where no server listens. An IP address requires no DNS lookup. */
export const LOCAL_URL = 'https://127.0.0.1:9/hooks';

/** Returns the required query parameters with the examples of the document, such as `since=2026-01-01T00:00:00Z`. */
export const requiredQuery = ({ parameters }: Operation): string =>
  parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema, example }) => `${name}=${encodeURIComponent(String(example ?? schema.example))}`)
    .join('&');

/** Returns a body with only the required fields: examples of the document, unique names and emails, and IDs of the fixtures. */
export function smallestBody(document: Document, schema: Schema, fixtures: BodyFixtures): Record<string, unknown> {
  const plain = plainSchema(document, schema);
  return Object.fromEntries(requiredOf(plain).map((name) => [name, valueOf(document, name, plain.properties![name]!, fixtures)]));
}

/** The default type of an identity provider requires the issuer, which the required fields of the document can't express. */
const requiredOf = ({ properties = {}, required = [] }: Schema): string[] =>
  'issuer' in properties && 'type' in properties ? [...required, 'issuer'] : required;

/** Returns a body with every field that has an example in the OpenAPI document. */
export function exampleBody(document: Document, schema: Schema, fixtures: BodyFixtures): Record<string, unknown> {
  const { properties = {} } = plainSchema(document, schema);
  const withExample = Object.entries(properties).filter(([, { example }]) => example !== undefined);
  return Object.fromEntries(withExample.map(([name, property]) => [name, valueOf(document, name, property, fixtures)]));
}

function valueOf(document: Document, name: string, schema: Schema, fixtures: BodyFixtures): unknown {
  const special: Record<string, unknown> = {
    email: `user-${randomUUID()}@example.com`,
    name: schema.format === 'idn-hostname' ? `${randomUUID()}.example` : nameFor(schema, `name ${randomUUID()}`),
    userId: fixtures.user,
    organization: fixtures.organization,
    ...(fixtures.newParent === undefined ? {} : { parentId: fixtures.newParent }),
    roleId: 'role_viewer',
    url: LOCAL_URL,
    // Unique across all tenants.
    identifier: `https://${randomUUID()}.example`,
    // APIs that exist.
    audiences: [],
  };
  if (name in special) return special[name];
  const plain = plainSchema(document, schema);
  if (plain.type === 'object') return smallestBody(document, schema, fixtures);
  if (plain.type === 'array' && plain.items?.$ref) return [smallestBody(document, plain.items, fixtures)];
  if (schema.example === undefined) throw new Error(`The required field ${name} has no example.`);
  return schema.example;
}

/** Returns a unique name, or the example of a schema that allows no names for people. */
const nameFor = ({ pattern = '', example }: Schema, unique: string): unknown =>
  new RegExp(pattern).test(unique) ? unique : example;

/** A field of a request body, at any depth. `within` returns the smallest body in which the field has a value. */
export interface Field {
  pointer: string;
  schema: Schema;
  required: boolean;
  within(fixtures: BodyFixtures, value: unknown): Record<string, unknown>;
}

export function fieldsOf(
  document: Document,
  schema: Schema,
  at = '',
  wrap = (_: BodyFixtures, inner: Record<string, unknown>) => inner,
): Field[] {
  const ofBody = plainSchema(document, schema);
  return Object.entries(ofBody.properties ?? {}).flatMap(([name, property]) => {
    const pointer = `${at}/${name}`;
    const within: Field['within'] = (fixtures, value) => {
      const body = { ...smallestBody(document, schema, fixtures), [name]: value };
      if (value === undefined) delete body[name];
      return wrap(fixtures, body);
    };
    const plain = plainSchema(document, property);
    const items = plain.type === 'array' && plain.items?.$ref ? plain.items : undefined;
    return [
      { pointer, schema: property, required: requiredOf(ofBody).includes(name), within },
      ...(plain.properties ? fieldsOf(document, property, pointer, within) : []),
      ...(items ? fieldsOf(document, items, `${pointer}/0`, (fixtures, inner) => within(fixtures, [inner])) : []),
    ];
  });
}
