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
 * The type of a field: the name of a type, with `?` if the field is optional; the allowed values; the shape of an object (`of`); or the
 * shape of list items (`each`).
 */
type Field = TypeName | `${TypeName}?` | readonly string[] | { each: Shape; optional?: true } | { of: Shape; optional?: true };

/** The exact fields of a response. */
export interface Shape {
  readonly [field: string]: Field;
}

/** Expects that `value` has exactly the fields of `shape`, with their types. */
export function expectFields(value: TestBody, shape: Shape): void {
  expect(mismatches(value, shape, '')).toEqual([]);
}

/** Expects that `list` is an array of values with exactly the fields of `shape`. */
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
    ...Object.entries(shape).flatMap(([field, wanted]) => fieldMismatches(value[field], wanted, `${path}/${field}`)),
  ];
}

function fieldMismatches(value: TestBody, wanted: Field, path: string): string[] {
  if (value === undefined) return isOptional(wanted) ? [] : [`${path} is absent`];
  if (typeof wanted === 'string') {
    const type = wanted.replace('?', '') as TypeName;
    return CHECKS[type](value) ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
  }
  if (Array.isArray(wanted)) return wanted.includes(value) ? [] : [`${path} is none of ${wanted}: ${JSON.stringify(value)}`];
  if ('of' in wanted) return mismatches(value, wanted.of, path);
  if ('each' in wanted) {
    if (!Array.isArray(value)) return [`${path} is no array`];
    return value.flatMap((item, index) => mismatches(item, wanted.each, `${path}/${index}`));
  }
  return [];
}

function isOptional(wanted: Field): boolean {
  if (typeof wanted === 'string') return wanted.endsWith('?');
  return 'optional' in wanted && wanted.optional === true;
}
