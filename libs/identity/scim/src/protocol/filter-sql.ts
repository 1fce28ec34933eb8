import type { Attribute, ResourceType } from './attributes.js';
import { findAttribute, resolvePath } from './attribute-path.js';
import { presenceOf } from './comparison.js';
import { comparisonToSql } from './comparison-sql.js';
import type { Condition, Filter } from './filter.js';
import { invalidFilter } from './filter-tokens.js';
import type { ScimRequestInvalid } from './scim-errors.js';
import {
  ComputedColumns,
  type Parameter,
  type SqlAttributes,
  type SqlFilter,
  type SqlList,
  type SqlValue,
} from './sql-attributes.js';
import { subAttributeOf } from './value-filter.js';

/** SQL that is complete when all conditions are known. */
type Sql = () => string;

/**
 * Converts a filter to SQL for the resources `r`. Values become parameters. Reads stored attributes, and each list that several conditions use,
 * once for each resource.
 * @throws ScimRequestInvalid (400, invalidFilter) when an attribute is unknown or can't be compared like this
 */
export function filterToSql(filter: Filter, attributes: SqlAttributes, parameter: Parameter): SqlFilter {
  const converter = new FilterConverter(attributes, parameter);
  const condition = converter.convert(filter)();
  return { joins: converter.joins(), condition };
}

const negated =
  (sql: Sql): Sql =>
  () =>
    `(${sql()}) IS NOT TRUE`;

/** The conditions of a filter on one list. */
class ListConditions {
  private readonly alias: string;
  private readonly computed: ComputedColumns;
  private readonly conditions: string[] = [];

  constructor(
    readonly attribute: Attribute,
    readonly list: SqlList,
    private readonly parameter: Parameter,
  ) {
    this.alias = `in_${attribute.name.toLowerCase()}`;
    this.computed = new ComputedColumns('item');
  }

  /** Adds the condition that a value matches the filter, or that there is a value. */
  add(filter: Filter | undefined): Sql {
    const condition = filter ? this.convert(filter) : 'true';
    const index = this.conditions.push(condition) - 1;
    // PostgreSQL can begin at the values of a single list, for example at the members of a group.
    return () =>
      this.conditions.length === 1 ? `EXISTS (SELECT FROM ${this.from()} WHERE ${condition})` : `${this.alias}.c${index}`;
  }

  join(): string {
    if (this.conditions.length < 2) return '';
    const columns = this.conditions.map((condition, index) => `bool_or(${condition}) AS c${index}`).join(', ');
    return ` CROSS JOIN LATERAL (SELECT ${columns} FROM ${this.from()}) ${this.alias}`;
  }

  /** Returns the SQL of a sub-attribute, or of the values of a list without sub-attributes. */
  valueOf(name: string): SqlValue | undefined {
    return this.list.value(name.toLowerCase());
  }

  private from(): string {
    return `${this.list.from}${this.computed.join()}`;
  }

  private convert(filter: Filter): string {
    if ('filters' in filter) return joined(filter, (part) => this.convert(part));
    if ('filter' in filter) return `(${this.convert(filter.filter)}) IS NOT TRUE`;
    if ('valFilter' in filter) throw invalidFilter('A filter in brackets has no other brackets.');
    const part = this.attribute.subAttributes ? subAttributeOf(this.attribute, filter.attrPath) : this.attribute;
    const value = this.valueOf(filter.attrPath);
    if (!value) throw new Error(`The list "${this.attribute.name}" has no SQL for "${part.name}".`);
    const { equals: _, ...compared } = value;
    return comparisonToSql(filter, part, compared, this.computed, this.parameter);
  }
}

class FilterConverter {
  private readonly computed = new ComputedColumns('own');
  private readonly lists = new Map<string, ListConditions>();
  private usesStored = false;

  constructor(
    private readonly attributes: SqlAttributes,
    private readonly parameter: Parameter,
  ) {}

  joins(): string {
    const lists = [...this.lists.values()].map((list) => list.join()).join('');
    return `${this.usesStored ? (this.attributes.stored ?? '') : ''}${this.computed.join()}${lists}`;
  }

  convert(filter: Filter): Sql {
    if ('filters' in filter) {
      const parts = filter.filters.map((part) => this.convert(part));
      return () => `(${parts.map((part) => part()).join(filter.op === 'and' ? ' AND ' : ' OR ')})`;
    }
    if ('filter' in filter) return negated(this.convert(filter.filter));
    return this.attributeCondition(filter);
  }

  private attributeCondition(filter: Condition | Extract<Filter, { op: '[]' }>): Sql {
    const { attrPath } = filter;
    const path = resolvePath(this.attributes.type, attrPath);
    if (!path) throw unknownAttribute(this.attributes.type, attrPath);
    const { extension, attribute, subAttribute } = path;
    if ('valFilter' in filter) {
      if (!attribute.subAttributes || subAttribute)
        throw invalidFilter(`The attribute "${attrPath.slice(0, 200)}" has no sub-attributes for a filter in brackets.`);
      return attribute.multiValued
        ? this.listCondition(attribute, filter.valFilter)
        : this.convert(prefixed(attrPath, filter.valFilter));
    }
    const compared = subAttribute ?? attribute;
    const isWhole = compared === attribute && (attribute.multiValued || attribute.type === 'complex');
    if (isWhole) return this.wholeCondition(filter, attribute);
    if (attribute.multiValued) return this.listCondition(attribute, { ...filter, attrPath: compared.name });
    const names = [extension, attribute.name, subAttribute?.name].filter((name) => name !== undefined);
    const value = this.attributes.single(names.join('.').toLowerCase());
    if (!value) throw new Error(`The attribute "${names.join('.')}" has no SQL.`);
    this.usesStored ||= value.isStored === true;
    const sql = comparisonToSql(filter, compared, value, this.computed, this.parameter);
    return () => sql;
  }

  /** Converts a condition on an attribute with several values or sub-attributes, such as `emails pr` and `manager eq "42"`. */
  private wholeCondition(condition: Condition, attribute: Attribute): Sql {
    const isPresent = presenceOf(condition);
    if (isPresent === undefined) {
      const main = attribute.subAttributes ? findAttribute(attribute.subAttributes, 'value') : attribute;
      if (!main) throw noMainValue(condition, attribute);
      return attribute.multiValued
        ? this.listCondition(attribute, { ...condition, attrPath: 'value' })
        : this.convert({ ...condition, attrPath: `${condition.attrPath}.value` });
    }
    const present = attribute.multiValued
      ? this.conditionsOf(attribute).add(undefined)
      : this.convert({
          op: 'or',
          filters: (attribute.subAttributes ?? []).map(({ name }): Filter => ({
            op: 'pr',
            attrPath: `${condition.attrPath}.${name}`,
          })),
        });
    return isPresent ? present : negated(present);
  }

  private listCondition(attribute: Attribute, filter: Filter): Sql {
    const list = this.conditionsOf(attribute);
    const indexed = this.indexedCondition(list, filter);
    // A single equality on an indexed attribute needs no subquery.
    if (indexed !== undefined && filter.op === 'eq') return () => indexed;
    const condition = list.add(filter);
    return indexed === undefined ? condition : () => `(${indexed} AND ${condition()})`;
  }

  /** Returns a condition that an index supports and that each resource with a value of the list meets, or undefined. */
  private indexedCondition(list: ListConditions, filter: Filter): string | undefined {
    for (const part of 'filters' in filter && filter.op === 'and' ? filter.filters : [filter])
      if (part.op === 'eq' && typeof part.compValue === 'string') {
        const equals = list.valueOf(part.attrPath)?.equals;
        if (equals) return equals(this.parameter, part.compValue);
      }
    return undefined;
  }

  private conditionsOf(attribute: Attribute): ListConditions {
    const name = attribute.name.toLowerCase();
    const list = this.attributes.list(name);
    if (!list) throw new Error(`The attribute "${name}" has no SQL.`);
    this.usesStored ||= list.isStored === true;
    const conditions = this.lists.get(name) ?? new ListConditions(attribute, list, this.parameter);
    this.lists.set(name, conditions);
    return conditions;
  }
}

const joined = ({ op, filters }: Extract<Filter, { filters: unknown }>, convert: (part: Filter) => string): string =>
  `(${filters.map(convert).join(op === 'and' ? ' AND ' : ' OR ')})`;

/** Returns a filter in brackets as a filter on the sub-attributes of an attribute with one value. */
function prefixed(attrPath: string, filter: Filter): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map((part) => prefixed(attrPath, part)) };
  if ('filter' in filter) return { ...filter, filter: prefixed(attrPath, filter.filter) };
  return { ...filter, attrPath: `${attrPath}.${filter.attrPath}` };
}

const unknownAttribute = (type: ResourceType, path: string): ScimRequestInvalid =>
  invalidFilter(`The ${type.name} has no attribute "${path.slice(0, 200)}".`);

const noMainValue = ({ attrPath, op }: Condition, { subAttributes = [] }: Attribute): ScimRequestInvalid => {
  const example = `${attrPath.slice(0, 200)}.${subAttributes[0]?.name ?? ''}`;
  return invalidFilter(
    `The attribute "${attrPath.slice(0, 200)}" has no single value for "${op}". Name one of its sub-attributes, such as "${example}", or use "pr".`,
  );
};
