import { asciiAddress, nameKey } from '#platform/common';
import type { Attribute } from './attributes.js';
import { findAttribute } from './attribute-path.js';
import { type Comparison, readComparison } from './comparison.js';
import { type ComparisonOperator, type Condition, conditionsOf, type Filter } from './filter.js';
import { invalidFilter } from './filter-tokens.js';
import type { ScimObject } from './resource.js';

/** The filter in brackets of a path, such as `[type eq "work"]`, for the values of one attribute. */
export interface ValueFilter {
  /** The number of conditions. */
  readonly size: number;
  readonly matches: (item: ScimObject) => boolean;
  /** The value that a filter of equalities describes, such as `{ type: 'work' }`. Undefined for other filters. */
  readonly described: ScimObject | undefined;
}

/** @throws ScimRequestInvalid (400, invalidFilter) when a condition does not suit the attribute */
export const readValueFilter = (attribute: Attribute, filter: Filter): ValueFilter => ({
  size: conditionsOf(filter).length,
  matches: matcherOf(attribute, filter),
  described: describedBy(attribute, filter),
});

/** Returns the sub-attribute of a condition in brackets. @throws ScimRequestInvalid (400, invalidFilter) */
export function subAttributeOf(attribute: Attribute, name: string): Attribute {
  const subAttribute = findAttribute(attribute.subAttributes, name);
  if (!subAttribute) throw invalidFilter(`The attribute "${attribute.name}" has no sub-attribute "${name.slice(0, 200)}".`);
  return subAttribute;
}

function matcherOf(attribute: Attribute, filter: Filter): ValueFilter['matches'] {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((part) => matcherOf(attribute, part));
      return filter.op === 'and'
        ? (item) => parts.every((matches) => matches(item))
        : (item) => parts.some((matches) => matches(item));
    }
    case 'not': {
      const matches = matcherOf(attribute, filter.filter);
      return (item) => !matches(item);
    }
    case '[]':
      throw invalidFilter('A filter in brackets has no other brackets.');
    default: {
      const { name, comparison } = readCondition(attribute, filter);
      if (comparison.kind !== 'text' || comparison.isExact) return (item) => isMet(comparison, item[name]);
      const isAddress = attribute.name === 'emails' && name === 'value' && (comparison.op === 'eq' || comparison.op === 'ne');
      const keyOf = isAddress ? addressKey : nameKey;
      const folded = { ...comparison, value: keyOf(comparison.value) };
      return (item) => isMet(folded, foldedValueOf(item, name, keyOf));
    }
  }
}

function readCondition(attribute: Attribute, condition: Condition): { name: string; comparison: Comparison } {
  const subAttribute = subAttributeOf(attribute, condition.attrPath);
  return { name: subAttribute.name, comparison: readComparison(condition, subAttribute) };
}

/** Whole addresses are equal whether their domain is in ASCII or in Unicode. */
const addressKey = (address: string): string => asciiAddress(nameKey(address));

type KeyOf = (text: string) => string;

/** The folded values of items, because a request can compare each item with many conditions. Items are never changed in place. */
const FOLDED = new Map<KeyOf, WeakMap<ScimObject, Map<string, unknown>>>([
  [nameKey, new WeakMap()],
  [addressKey, new WeakMap()],
]);

function foldedValueOf(item: ScimObject, name: string, keyOf: KeyOf): unknown {
  const items = FOLDED.get(keyOf);
  const values = items?.get(item) ?? new Map<string, unknown>();
  items?.set(item, values);
  if (!values.has(name)) values.set(name, typeof item[name] === 'string' ? keyOf(item[name]) : undefined);
  return values.get(name);
}

function isMet(comparison: Comparison, value: unknown): boolean {
  if (comparison.kind === 'presence') return (value !== undefined) === comparison.isPresent;
  // A missing value of `primary` means false (RFC 7643, section 2.4).
  if (comparison.kind === 'boolean') return (value === true) === comparison.value;
  if (typeof value !== 'string') return comparison.op === 'ne';
  return comparison.kind === 'text'
    ? compares(comparison.op, value, comparison.value)
    : compares(comparison.op, new Date(value).toISOString(), comparison.value.toISOString());
}

function compares(op: ComparisonOperator, left: string, right: string): boolean {
  switch (op) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    default: {
      // In the order of PostgreSQL's collation "C".
      const order = Buffer.compare(Buffer.from(left), Buffer.from(right));
      return order === 0 ? op === 'ge' || op === 'le' : order > 0 === (op === 'gt' || op === 'ge');
    }
  }
}

function describedBy(attribute: Attribute, filter: Filter): ScimObject | undefined {
  if (filter.op === 'eq') {
    const { name, comparison } = readCondition(attribute, filter);
    return comparison.kind === 'text' || comparison.kind === 'boolean' ? { [name]: comparison.value } : undefined;
  }
  if (filter.op !== 'and') return undefined;
  const parts = filter.filters.map((part) => describedBy(attribute, part));
  return parts.includes(undefined) ? undefined : (Object.assign({}, ...parts) as ScimObject);
}
