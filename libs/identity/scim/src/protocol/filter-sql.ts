import type { Attribute, ResourceType } from './attributes.js';
import { resolvePath } from './attribute-path.js';
import type { Filter } from './filter.js';
import { ScimRequestInvalid } from './scim-errors.js';

/** Adds a value to the parameters of a statement, and returns its placeholder. */
type Parameter = (value: unknown) => string;

/** An SQL expression for an attribute. `null` stands for no value. */
export interface SqlValue {
  readonly sql: string;
  /** Converts a value to the form in which the expression is stored for comparisons. */
  readonly keyOf?: (value: string) => string;
  /** Returns a condition for equality that an index supports. */
  readonly equals?: (parameter: Parameter, value: string) => string;
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
type Condition = Comparison | Extract<Filter, { op: 'pr' }>;

/**
 * Converts a filter to an SQL condition. Values become parameters.
 * @throws ScimRequestInvalid (400, invalidFilter) when an attribute is unknown or can't be compared like this
 */
export const filterToSql = (filter: Filter, attributes: SqlAttributes, parameter: Parameter): string =>
  new FilterConverter(attributes, parameter).convert(filter);

class FilterConverter {
  constructor(
    private readonly attributes: SqlAttributes,
    private readonly parameter: Parameter,
  ) {}

  convert(filter: Filter): string {
    if ('filters' in filter) return joined(filter, (part) => this.convert(part));
    if ('filter' in filter) return `(${this.convert(filter.filter)}) IS NOT TRUE`;
    if ('valFilter' in filter) return this.listCondition(filter.attrPath, filter.valFilter);
    const path = resolvePath(this.attributes.type, filter.attrPath);
    if (!path) throw unknownAttribute(this.attributes.type, filter.attrPath);
    const { extension, attribute, subAttribute } = path;
    if (attribute.multiValued) return this.listCondition(attribute.name, { ...filter, attrPath: subAttribute?.name ?? 'value' });
    const names = [extension, attribute.name, subAttribute?.name].filter((name) => name !== undefined);
    const value = this.attributes.single(names.join('.').toLowerCase());
    if (!value) throw unsupported(filter.attrPath);
    return this.compared(filter, value, subAttribute ?? attribute);
  }

  private listCondition(name: string, filter: Filter): string {
    const path = resolvePath(this.attributes.type, name);
    const list = path && !path.subAttribute ? this.attributes.list(path.attribute.name.toLowerCase()) : undefined;
    if (!path || !list) throw unknownAttribute(this.attributes.type, name);
    const convertPart = (part: Filter): string => {
      if ('filters' in part) return joined(part, convertPart);
      if ('filter' in part) return `(${convertPart(part.filter)}) IS NOT TRUE`;
      if ('valFilter' in part) throw unsupported(name);
      const subAttribute = path.attribute.subAttributes?.find((each) => each.name.toLowerCase() === part.attrPath.toLowerCase());
      const value = subAttribute && list.value(subAttribute.name.toLowerCase());
      if (!value) throw unknownAttribute(this.attributes.type, `${name}.${part.attrPath}`);
      return this.compared(part, { sql: value.sql }, subAttribute);
    };
    const indexed = this.indexedCondition(list, filter);
    // A single equality on an indexed attribute needs no subquery.
    if (indexed !== undefined && filter.op === 'eq') return indexed;
    const condition = `EXISTS (SELECT FROM ${list.from} AND ${convertPart(filter)})`;
    return indexed === undefined ? condition : `(${indexed} AND ${condition})`;
  }

  /** Returns a condition that an index supports and that each resource with a value of the list meets, or undefined. */
  private indexedCondition(list: SqlList, filter: Filter): string | undefined {
    for (const part of 'filters' in filter && filter.op === 'and' ? filter.filters : [filter])
      if (part.op === 'eq' && typeof part.compValue === 'string') {
        const equals = list.value(part.attrPath.toLowerCase())?.equals;
        if (equals) return equals(this.parameter, part.compValue);
      }
    return undefined;
  }

  private compared(condition: Condition, { sql, keyOf, equals }: SqlValue, attribute: Attribute): string {
    if (condition.op === 'pr') return `(${sql}) IS NOT NULL`;
    const { op, compValue, attrPath } = condition;
    if (compValue === null) {
      if (op !== 'eq' && op !== 'ne') throw invalidValue(attrPath, op);
      return `(${sql}) IS ${op === 'eq' ? 'NULL' : 'NOT NULL'}`;
    }
    if (attribute.type === 'boolean') {
      if (typeof compValue !== 'boolean' || (op !== 'eq' && op !== 'ne')) throw invalidValue(attrPath, op);
      return `(${sql}) IS ${(op === 'eq') === compValue ? '' : 'NOT '}TRUE`;
    }
    if (typeof compValue !== 'string' || compValue.includes('\0')) throw invalidValue(attrPath, op);
    if (op === 'eq' && equals) return equals(this.parameter, compValue);
    if (attribute.type === 'dateTime') return this.comparedTime(condition, sql, compValue);
    if (keyOf) return this.comparedText(op, sql, this.parameter(keyOf(compValue)));
    const right = this.parameter(compValue);
    if (attribute.caseExact === true) return this.comparedText(op, sql, right);
    // The database folds both sides, because its rules differ from those of JavaScript.
    return this.comparedText(op, folded(sql), folded(`${right}::text`));
  }

  private comparedText(op: Comparison['op'], left: string, right: string): string {
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

  private comparedTime({ op, attrPath }: Comparison, sql: string, text: string): string {
    const time = new Date(text);
    // PostgreSQL knows fewer years than JavaScript.
    if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999)
      throw new ScimRequestInvalid('invalidFilter', `"${text.slice(0, 50)}" is not a time (ISO 8601).`);
    if (op === 'co' || op === 'sw' || op === 'ew') throw invalidValue(attrPath, op);
    const comparison = op === 'eq' ? '=' : op === 'ne' ? '<>' : ORDER[op];
    // Responses contain milliseconds.
    return `date_trunc('milliseconds', ${sql}) ${comparison} ${this.parameter(time)}`;
  }
}

const joined = ({ op, filters }: Extract<Filter, { filters: unknown }>, convert: (part: Filter) => string): string =>
  `(${filters.map(convert).join(op === 'and' ? ' AND ' : ' OR ')})`;

const folded = (sql: string): string => `lower(normalize(${sql}))`;

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
