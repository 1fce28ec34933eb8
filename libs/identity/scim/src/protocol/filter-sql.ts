import type { Attribute, ResourceType } from './attributes.js';
import { resolvePath } from './attribute-path.js';
import type { Filter } from './filter.js';
import { ScimRequestInvalid } from './scim-errors.js';

/** An SQL expression for an attribute. `null` stands for no value. */
export interface SqlValue {
  readonly sql: string;
  /** Whether the expression is in lower case already, so that an index on it can be used. */
  readonly isFolded?: boolean;
  /** Returns a condition for equality that an index supports. */
  readonly equals?: (parameter: (value: unknown) => string, value: string) => string;
}

/** An attribute with several values: `FROM` item and condition over `v`, and the expressions of its sub-attributes. */
export interface SqlList {
  readonly from: string;
  readonly value: (subName: string) => SqlValue | undefined;
}

/** The attributes of a resource type in SQL. */
export interface SqlAttributes {
  readonly type: ResourceType;
  /** Returns the expression for a path in lower case, such as `name.givenname`. */
  readonly single: (path: string) => SqlValue | undefined;
  readonly list: (name: string) => SqlList | undefined;
}

type Comparison = Extract<Filter, { compValue: unknown }>;

/**
 * Converts a filter to an SQL condition. Values become parameters.
 * @throws ScimRequestInvalid (400, invalidFilter) when an attribute is unknown or can't be compared like this
 */
export function filterToSql(filter: Filter, attributes: SqlAttributes, parameter: (value: unknown) => string): string {
  const convert = (part: Filter): string => {
    switch (part.op) {
      case 'and':
      case 'or':
        return `(${part.filters.map(convert).join(part.op === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `(${convert(part.filter)}) IS NOT TRUE`;
      case '[]':
        return listCondition(part.attrPath, part.valFilter);
      default:
        return condition(part);
    }
  };

  const condition = (part: Comparison | Extract<Filter, { op: 'pr' }>): string => {
    const path = resolvePath(attributes.type, part.attrPath);
    if (!path) throw unknownAttribute(attributes.type, part.attrPath);
    const { extension, attribute, subAttribute } = path;
    if (attribute.multiValued) return listCondition(attribute.name, { ...part, attrPath: subAttribute?.name ?? 'value' });
    const name = [...(extension === undefined ? [] : [extension]), attribute.name, ...(subAttribute ? [subAttribute.name] : [])];
    const value = attributes.single(name.join('.').toLowerCase());
    if (!value) throw unsupported(part.attrPath);
    return compared(part, value, subAttribute ?? attribute);
  };

  const listCondition = (listName: string, inner: Filter): string => {
    const path = resolvePath(attributes.type, listName);
    const list = path && !path.subAttribute ? attributes.list(path.attribute.name.toLowerCase()) : undefined;
    if (!path || !list) throw unknownAttribute(attributes.type, listName);
    const convertInner = (part: Filter): string => {
      if ('filters' in part) return `(${part.filters.map(convertInner).join(part.op === 'and' ? ' AND ' : ' OR ')})`;
      if ('filter' in part) return `(${convertInner(part.filter)}) IS NOT TRUE`;
      if ('valFilter' in part) throw unsupported(listName);
      const sub = path.attribute.subAttributes?.find(({ name }) => name.toLowerCase() === part.attrPath.toLowerCase());
      const value = sub && list.value(sub.name.toLowerCase());
      if (!sub || !value) throw unknownAttribute(attributes.type, `${listName}.${part.attrPath}`);
      if (part.op === 'eq' && typeof part.compValue === 'string' && value.equals) return value.equals(parameter, part.compValue);
      return compared(part, value, sub);
    };
    // A single equality on an indexed attribute needs no subquery.
    if (inner.op === 'eq' && typeof inner.compValue === 'string') {
      const indexed = list.value(inner.attrPath.toLowerCase());
      if (indexed?.equals) return indexed.equals(parameter, inner.compValue);
    }
    return `EXISTS (SELECT FROM ${list.from} AND ${convertInner(inner)})`;
  };

  const compared = (part: Comparison | Extract<Filter, { op: 'pr' }>, value: SqlValue, attribute: Attribute): string => {
    if (part.op === 'pr') return `(${value.sql}) IS NOT NULL`;
    const { op, compValue, attrPath } = part;
    if (compValue === null) {
      if (op === 'eq') return `(${value.sql}) IS NULL`;
      if (op === 'ne') return `(${value.sql}) IS NOT NULL`;
      throw invalidValue(attrPath, op);
    }
    if (attribute.type === 'boolean') {
      if (typeof compValue !== 'boolean' || (op !== 'eq' && op !== 'ne')) throw invalidValue(attrPath, op);
      return `(${value.sql}) IS ${(op === 'eq') === compValue ? '' : 'NOT '}TRUE`;
    }
    if (typeof compValue !== 'string' || compValue.includes('\0')) throw invalidValue(attrPath, op);
    if (attribute.type === 'dateTime') return comparedTime(op, value.sql, compValue, attrPath);
    const isExact = attribute.caseExact === true;
    if (op === 'eq' && value.equals) return value.equals(parameter, compValue);
    const left = isExact || value.isFolded ? value.sql : `lower(${value.sql})`;
    const right = isExact ? compValue : compValue.toLowerCase();
    switch (op) {
      case 'eq':
        return `${left} = ${parameter(right)}`;
      case 'ne':
        return `${left} IS DISTINCT FROM ${parameter(right)}`;
      case 'co':
        return `strpos(${left}, ${parameter(right)}) > 0`;
      case 'sw':
        return `starts_with(${left}, ${parameter(right)})`;
      case 'ew':
        return `right(${left}, length(${parameter(right)})) = ${parameter(right)}`;
      default:
        return `${left} COLLATE "C" ${ORDER[op]} ${parameter(right)}`;
    }
  };

  const comparedTime = (op: Comparison['op'], sql: string, text: string, attrPath: string): string => {
    const time = new Date(text);
    if (Number.isNaN(time.getTime()))
      throw new ScimRequestInvalid('invalidFilter', `"${text.slice(0, 50)}" is not a time (ISO 8601).`);
    // Responses contain milliseconds.
    const left = `date_trunc('milliseconds', ${sql})`;
    if (op === 'eq') return `${left} = ${parameter(time)}`;
    if (op === 'ne') return `${left} <> ${parameter(time)}`;
    if (op === 'co' || op === 'sw' || op === 'ew') throw invalidValue(attrPath, op);
    return `${left} ${ORDER[op]} ${parameter(time)}`;
  };

  return convert(filter);
}

const ORDER = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

const unknownAttribute = (type: ResourceType, path: string): ScimRequestInvalid =>
  new ScimRequestInvalid('invalidFilter', `The ${type.name} has no attribute "${path.slice(0, 200)}".`);

const unsupported = (path: string): ScimRequestInvalid =>
  new ScimRequestInvalid(
    'invalidFilter',
    `The attribute "${path.slice(0, 200)}" has no single value. Name one of its sub-attributes.`,
  );

const invalidValue = (path: string, op: string): ScimRequestInvalid =>
  new ScimRequestInvalid('invalidFilter', `The attribute "${path.slice(0, 200)}" can't be compared with this value and "${op}".`);
