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
  { sql, keyOf, isTrimmed, isStored }: SqlValue,
  computed: ComputedColumns,
  parameter: Parameter,
): string {
  const trimmed = isTrimmed && (op === 'eq' || op === 'ne') ? text.trim() : text;
  if (keyOf) return comparedText(op, sql, parameter(keyOf(trimmed)));
  if (isExact) return comparedText(op, isStored ? computed.columnOf(sql) : sql, `${parameter(trimmed)}::text`);
  // PostgreSQL folds both sides, because JavaScript folds some letters otherwise.
  return comparedText(op, computed.columnOf(folded(sql)), folded(`${parameter(trimmed)}::text`));
}

const folded = (sql: string): string => `lower(normalize(${sql}))`;

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
