import { nameKey } from '#platform/common';
import type { Filter } from './filter.js';
import { ScimRequestInvalid } from './scim-errors.js';
import { isObject, type ScimObject } from './resource.js';

const valueOf = (item: ScimObject, name: string): unknown =>
  Object.entries(item).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

const folded = (value: unknown): unknown => (typeof value === 'string' ? nameKey(value) : value);

/**
 * Returns whether a value of a list matches the filter in brackets of a path, for example `type eq "work"`. Case is ignored.
 * @throws ScimRequestInvalid (400, invalidFilter) for a filter that compares by order
 */
export function matchesValue(item: unknown, filter: Filter): boolean {
  if (!isObject(item)) return false;
  switch (filter.op) {
    case 'and':
      return filter.filters.every((part) => matchesValue(item, part));
    case 'or':
      return filter.filters.some((part) => matchesValue(item, part));
    case 'not':
      return !matchesValue(item, filter.filter);
    case 'pr':
      return valueOf(item, filter.attrPath) !== undefined;
    case 'eq':
      return folded(valueOf(item, filter.attrPath) ?? null) === folded(filter.compValue);
    case 'ne':
      return folded(valueOf(item, filter.attrPath) ?? null) !== folded(filter.compValue);
    case 'co':
      return textOf(item, filter.attrPath).includes(nameKey(String(filter.compValue)));
    case 'sw':
      return textOf(item, filter.attrPath).startsWith(nameKey(String(filter.compValue)));
    case 'ew':
      return textOf(item, filter.attrPath).endsWith(nameKey(String(filter.compValue)));
    default:
      throw new ScimRequestInvalid('invalidFilter', 'A filter in brackets supports eq, ne, co, sw, ew and pr.');
  }
}

const textOf = (item: ScimObject, name: string): string => {
  const value = valueOf(item, name);
  return typeof value === 'string' ? nameKey(value) : '';
};

/** Returns the value that a filter of equalities describes, such as `{ type: 'work' }`, or undefined for other filters. */
export function valueDescribedBy(filter: Filter): ScimObject | undefined {
  if (filter.op === 'eq' && filter.compValue !== null) return { [filter.attrPath]: filter.compValue };
  if (filter.op !== 'and') return undefined;
  const parts = filter.filters.map(valueDescribedBy);
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}
