import { expect } from '@jest/globals';
import { Ajv } from 'ajv';
import type { TestBody } from './http-client.js';

const TYPES = {
  string: { type: 'string', minLength: 1 },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  timestamp: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` },
  object: { type: 'object' },
  strings: { type: 'array', items: { type: 'string' } },
  'string|null': { type: 'string', minLength: 1, nullable: true },
} as const;

type TypeName = keyof typeof TYPES;
/**
 * The type of a field: a type name, with `?` if the field is optional; the allowed values; the shape of an object (`of`); or the shape of list items
 * (`each`).
 */
type Field = TypeName | `${TypeName}?` | readonly string[] | { each: Shape; optional?: true } | { of: Shape; optional?: true };

/** The exact fields of a response. A key can have the names of several fields of one type, separated by spaces. */
export interface Shape {
  readonly [fields: string]: Field;
}

const ajv = new Ajv({ allErrors: true, verbose: true });

/** Expects that `value` has exactly the fields and types of `shape`. */
export function expectFields(value: TestBody, shape: Shape): void {
  ajv.validate(schemaOf(shape), value);
  expect(ajv.errors?.map(({ instancePath, message, params, data }) => ({ instancePath, message, params, data })) ?? []).toEqual(
    [],
  );
}

/** Expects an array of values with exactly the fields and types of `shape`. */
export function expectEach(list: TestBody, shape: Shape): void {
  expect(Array.isArray(list)).toBe(true);
  for (const item of list) expectFields(item, shape);
}

/** Expects that `data` is the only key of the response. Returns the value of `data`. */
export function dataOf(body: TestBody): TestBody {
  expect(Object.keys(body)).toEqual(['data']);
  return body.data;
}

/** Returns the fields by name. */
export const fieldsOf = (shape: Shape): [name: string, field: Field][] =>
  Object.entries(shape).flatMap(([names, field]) => names.split(' ').map((name): [string, Field] => [name, field]));

function schemaOf(shape: Shape): object {
  const fields = fieldsOf(shape);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, fieldSchemaOf(field)]));
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return { type: 'object', additionalProperties: false, required, properties };
}

function fieldSchemaOf(field: Field): object {
  if (typeof field === 'string') return TYPES[field.replace('?', '') as TypeName];
  if ('of' in field) return schemaOf(field.of);
  return 'each' in field ? { type: 'array', items: schemaOf(field.each) } : { enum: field };
}

const isOptional = (field: Field): boolean =>
  typeof field === 'string' ? field.endsWith('?') : 'optional' in field && field.optional === true;
