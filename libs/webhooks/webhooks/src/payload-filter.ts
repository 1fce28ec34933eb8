import { jsonPointerToken } from '#platform/common';
import type { FieldError } from '#platform/http';
import { LRUCache } from 'lru-cache';
import sift from 'sift';

/** A condition on the `data` of an event, in the form of a MongoDB query that `filterProblem` accepts. */
export type PayloadFilter = object;

/** A problem of a filter, with its location (JSON Pointer). */
export interface FilterProblem extends FieldError {
  readonly path: string;
}

export const FILTER_MAX_BYTES = 4_096;
const LEVELS_MAX = 5;
const CONDITIONS_MAX = 20;
const VALUES_MAX = 100;
const PATH_MAX_LENGTH = 128;

/** Paths of fields, such as `status`, `user.email` and `changes.status.to`. Excludes names that reach the prototype of objects. */
const FIELD_PATH = /^(?!.*(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|$))[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u;

/** The allowed operators. No allowed operator runs code or a regular expression. */
const { $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists, $size, $all, $and, $or, $nor, $not } = sift;
const OPERATIONS = { $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists, $size, $all, $and, $or, $nor, $not };
const COMBINERS = new Set(['$and', '$or', '$nor']);

type Check = (value: unknown, path: string, level: number) => FilterProblem | undefined;

const OPERANDS: Readonly<Record<string, Check>> = {
  $eq: scalar,
  $ne: scalar,
  $in: scalars,
  $nin: scalars,
  $all: scalars,
  $gt: comparable,
  $gte: comparable,
  $lt: comparable,
  $lte: comparable,
  $exists: (value, path) => problemUnless(typeof value === 'boolean', path, 'wrong_type', 'must be true or false.'),
  $size: (value, path) =>
    problemUnless(Number.isInteger(value) && Number(value) >= 0, path, 'wrong_type', 'must be a whole number from 0.'),
  $not: operators,
};

/** Returns the problem of a filter, or undefined for a valid filter. The message continues a sentence that starts with the location. */
export function filterProblem(filter: unknown): FilterProblem | undefined {
  if (Buffer.byteLength(JSON.stringify(filter) ?? '') > FILTER_MAX_BYTES)
    return {
      path: '',
      code: 'too_large',
      maximum: FILTER_MAX_BYTES,
      message: `must be at most ${FILTER_MAX_BYTES} bytes of JSON.`,
    };
  return condition(filter, '', 1);
}

/** Returns whether the data meets the condition. @throws Error for a filter that `filterProblem` rejects */
export function meetsFilter(filter: PayloadFilter, data: unknown): boolean {
  const text = JSON.stringify(filter);
  const tester = testers.get(text) ?? sift.createQueryTester(JSON.parse(text), { operations: OPERATIONS });
  testers.set(text, tester);
  return tester(data);
}

const testers = new LRUCache<string, (data: unknown) => boolean>({ max: 1_000 });

function condition(value: unknown, path: string, level: number): FilterProblem | undefined {
  const problem = objectProblem(value, path, level);
  if (problem) return problem;
  return firstOf(Object.entries(value as object), ([key, operand]: [string, unknown]) => {
    const location = `${path}/${jsonPointerToken(key)}`;
    if (COMBINERS.has(key)) return conditions(operand, location, level + 1);
    if (key.startsWith('$'))
      return {
        path: location,
        code: 'invalid_operator',
        message: 'is not an allowed operator here. Use $and, $or or $nor.',
      };
    if (key.length > PATH_MAX_LENGTH || !FIELD_PATH.test(key))
      return {
        path: location,
        code: 'invalid_key',
        message: 'is not the path of a field in data, such as status or user.email.',
      };
    return typeof operand === 'object' && operand !== null ? operators(operand, location, level + 1) : scalar(operand, location);
  });
}

function conditions(value: unknown, path: string, level: number): FilterProblem | undefined {
  const isValid = Array.isArray(value) && value.length > 0 && value.length <= CONDITIONS_MAX;
  return (
    problemUnless(isValid, path, 'wrong_type', `must be a list of 1 to ${CONDITIONS_MAX} conditions.`) ??
    firstOf(value as unknown[], (each, index) => condition(each, `${path}/${index}`, level))
  );
}

function operators(value: unknown, path: string, level: number): FilterProblem | undefined {
  const problem = objectProblem(value, path, level);
  if (problem) return problem;
  return firstOf(Object.entries(value as object), ([name, operand]: [string, unknown]) => {
    const location = `${path}/${jsonPointerToken(name)}`;
    const check = Object.hasOwn(OPERANDS, name) ? OPERANDS[name] : undefined;
    if (check) return check(operand, location, level + 1);
    return { path: location, code: 'invalid_operator', message: `is not one of: ${Object.keys(OPERANDS).join(', ')}.` };
  });
}

function objectProblem(value: unknown, path: string, level: number): FilterProblem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { path, code: 'wrong_type', message: 'must be an object.' };
  if (level > LEVELS_MAX)
    return { path, code: 'too_deep', maximum: LEVELS_MAX, message: `must have at most ${LEVELS_MAX} levels.` };
  const count = Object.keys(value).length;
  return problemUnless(
    count > 0 && count <= CONDITIONS_MAX,
    path,
    count === 0 ? 'too_few' : 'too_many',
    `must have 1 to ${CONDITIONS_MAX} keys.`,
  );
}

function scalar(value: unknown, path: string): FilterProblem | undefined {
  const isValid = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return problemUnless(isValid, path, 'wrong_type', 'must be a string, number, boolean or null.');
}

function comparable(value: unknown, path: string): FilterProblem | undefined {
  return problemUnless(['string', 'number'].includes(typeof value), path, 'wrong_type', 'must be a string or number.');
}

function scalars(value: unknown, path: string): FilterProblem | undefined {
  const isValid = Array.isArray(value) && value.length > 0 && value.length <= VALUES_MAX;
  return (
    problemUnless(isValid, path, 'wrong_type', `must be a list of 1 to ${VALUES_MAX} values.`) ??
    firstOf(value as unknown[], (each, index) => scalar(each, `${path}/${index}`))
  );
}

const problemUnless = (isValid: boolean, path: string, code: FieldError['code'], message: string): FilterProblem | undefined =>
  isValid ? undefined : { path, code, message };

function firstOf<Item>(items: readonly Item[], check: (item: Item, index: number) => FilterProblem | undefined) {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem) return problem;
  }
  return undefined;
}
