import { parseTime } from '#platform/common';
import type { Attribute } from './attributes.js';
import type { ComparisonOperator, Condition } from './filter.js';
import { invalidFilter } from './filter-tokens.js';
import { booleanOf } from './resource.js';

export type OrderOperator = 'gt' | 'ge' | 'lt' | 'le';

/** A condition whose value has the type of its attribute. SQL and comparisons in memory use the same reading. */
export type Comparison =
  | { readonly kind: 'presence'; readonly isPresent: boolean }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'time'; readonly op: 'eq' | 'ne' | OrderOperator; readonly value: Date }
  | { readonly kind: 'text'; readonly op: ComparisonOperator; readonly value: string; readonly isExact: boolean };

/** Returns whether a condition asks if the attribute has a value (`pr`, `ne null`) or none (`eq null`), or undefined for others. */
export function presenceOf(condition: Condition): boolean | undefined {
  if (condition.op === 'pr') return true;
  if (condition.compValue !== null) return undefined;
  if (condition.op !== 'eq' && condition.op !== 'ne') throw invalid(condition, 'null supports eq and ne');
  return condition.op === 'ne';
}

/**
 * Reads the value of a condition on an attribute without sub-attributes, as the values of the attribute itself are read.
 * @throws ScimRequestInvalid (400, invalidFilter) when the type of the attribute does not support the value or the operator
 */
export function readComparison(condition: Condition, attribute: Attribute): Comparison {
  if (condition.op === 'pr' || condition.compValue === null)
    return { kind: 'presence', isPresent: presenceOf(condition) === true };
  const { op, compValue } = condition;
  if (attribute.type === 'boolean') {
    const value = booleanOf(compValue);
    if (value === undefined) throw invalid(condition, 'its values are true and false');
    if (op !== 'eq' && op !== 'ne') throw invalid(condition, 'true and false support eq, ne and pr');
    return { kind: 'boolean', value: value === (op === 'eq') };
  }
  if (typeof compValue !== 'string') throw invalid(condition, 'its values are strings. Send the value in double quotes');
  if (attribute.type !== 'dateTime') return { kind: 'text', op, value: compValue, isExact: attribute.caseExact === true };
  if (op === 'co' || op === 'sw' || op === 'ew') throw invalid(condition, 'times support eq, ne, gt, ge, lt, le and pr');
  const value = parseTime(compValue);
  if (!value) throw invalid(condition, 'its values are times (RFC 3339) such as 2026-01-31T12:00:00Z');
  return { kind: 'time', op, value };
}

const invalid = ({ attrPath, op }: Condition, reason: string) =>
  invalidFilter(`The attribute "${attrPath.slice(0, 200)}" can't be compared with this value and "${op}": ${reason}.`);
