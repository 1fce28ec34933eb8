import type { Attribute } from './attributes.js';
import { type Comparison, type OrderOperator, readComparison } from './comparison.js';
import type { ComparisonOperator, Condition } from './filter.js';
import type { ComputedColumns, Parameter, SqlValue } from './sql-attributes.js';

const ORDER: Readonly<Record<OrderOperator, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' };

/** Returns the SQL of a condition on one value. @throws ScimRequestInvalid (400, invalidFilter) */
export function comparisonToSql(
  condition: Condition,
  attribute: Attribute,
  value: SqlValue,
  computed: ComputedColumns,
  parameter: Parameter,
): string {
  const comparison = readComparison(condition, attribute);
  const column = (sql: string): string => (value.isStored ? computed.columnOf(sql) : sql);
  switch (comparison.kind) {
    case 'presence':
      if (value.isRequired) return String(comparison.isPresent);
      return `(${column(value.sql)}) IS ${comparison.isPresent ? 'NOT ' : ''}NULL`;
    case 'boolean':
      return `(${column(value.sql)}) IS ${comparison.value ? '' : 'NOT '}TRUE`;
    case 'time': {
      const { op } = comparison;
      const sign = op === 'eq' ? '=' : op === 'ne' ? '<>' : ORDER[op];
      // Responses contain milliseconds.
      return `date_trunc('milliseconds', ${value.sql}) ${sign} ${parameter(comparison.value)}`;
    }
    default: {
      const { op } = comparison;
      if (op === 'eq' && value.equals) return value.equals(parameter, comparison.value);
      return textToSql(comparison, value, computed, parameter);
    }
  }
}

function textToSql(
  { op, value: text, isExact }: Extract<Comparison, { kind: 'text' }>,
  { sql, keyOf, written, formsOf, isTrimmed, isStored }: SqlValue,
  computed: ComputedColumns,
  parameter: Parameter,
): string {
  const trimmed = isTrimmed && (op === 'eq' || op === 'ne') ? text.trim() : text;
  const inWriting = (own: string, other: string): string =>
    comparedText(op, computed.columnOf(folded(own)), folded(`${parameter(other)}::text`));
  if (keyOf) {
    const byKey = comparedText(op, sql, parameter(keyOf(trimmed)));
    const isPart = op === 'co' || op === 'sw' || op === 'ew';
    return isPart && written !== undefined ? `(${byKey} OR ${inWriting(written, trimmed)})` : byKey;
  }
  if (isExact) return comparedText(op, isStored ? computed.columnOf(sql) : sql, `${parameter(trimmed)}::text`);
  // PostgreSQL folds both sides, because JavaScript folds some letters otherwise.
  const forms = formsOf && (op === 'eq' || op === 'ne') ? formsOf(trimmed) : [trimmed];
  return `(${forms.map((form) => inWriting(sql, form)).join(op === 'eq' ? ' OR ' : ' AND ')})`;
}

/**
 * Ignores case in all scripts, whatever the locale of the database: with the locale C, PostgreSQL knows the case of ASCII letters only. "Σ"
 * becomes "σ" or "ς", and both are the same letter.
 */
const folded = (sql: string): string => `(replace(lower(normalize(${sql}) COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C")`;

function comparedText(op: ComparisonOperator, left: string, right: string): string {
  switch (op) {
    case 'eq':
      return `${left} = ${right}`;
    case 'ne':
      return `${left} IS DISTINCT FROM ${right}`;
    case 'co':
      return `strpos(${left}, ${right}) > 0`;
    case 'sw':
      return `starts_with(${left}, ${right})`;
    case 'ew':
      return `right(${left}, length(${right})) = ${right}`;
    default:
      return `(${left}) COLLATE "C" ${ORDER[op]} ${right}`;
  }
}
