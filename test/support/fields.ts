import { expect } from '@jest/globals';
import type { TestBody } from './http-client.js';

const CHECKS = {
  string: (value: unknown) => typeof value === 'string' && value !== '',
  text: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown) => Number.isInteger(value),
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  timestamp: (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  strings: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'string|null': (value: unknown) => value === null || (typeof value === 'string' && value !== ''),
} as const;

type TypeName = keyof typeof CHECKS;
/**
 * The type of a field: a type name, with `?` if the field is optional; the allowed values; the shape of an object (`of`); or the shape of list items
 * (`each`).
 */
type Field = TypeName | `${TypeName}?` | readonly string[] | { each: Shape; optional?: true } | { of: Shape; optional?: true };

/** The exact fields of a response. */
export interface Shape {
  readonly [field: string]: Field;
}

/** Expects that `value` has exactly the fields and types of `shape`. */
export function expectFields(value: TestBody, shape: Shape): void {
  expect(mismatches(value, shape, '')).toEqual([]);
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

function mismatches(value: TestBody, shape: Shape, path: string): string[] {
  if (!CHECKS.object(value)) return [`${path || '/'} is no object`];
  const unknown = Object.keys(value).filter((field) => !(field in shape));
  return [
    ...unknown.map((field) => `${path}/${field} is not a field of the response`),
    ...Object.entries(shape).flatMap(([field, expected]) => fieldMismatches(value[field], expected, `${path}/${field}`)),
  ];
}

function fieldMismatches(value: TestBody, expected: Field, path: string): string[] {
  if (value === undefined) return isOptional(expected) ? [] : [`${path} is absent`];
  if (typeof expected === 'string') {
    const type = expected.replace('?', '') as TypeName;
    return CHECKS[type](value) ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
  }
  if (Array.isArray(expected))
    return expected.includes(value) ? [] : [`${path} is none of ${expected}: ${JSON.stringify(value)}`];
  if ('of' in expected) return mismatches(value, expected.of, path);
  if ('each' in expected) {
    if (!Array.isArray(value)) return [`${path} is no array`];
    return value.flatMap((item, index) => mismatches(item, expected.each, `${path}/${index}`));
  }
  return [];
}

function isOptional(expected: Field): boolean {
  if (typeof expected === 'string') return expected.endsWith('?');
  return 'optional' in expected && expected.optional === true;
}
