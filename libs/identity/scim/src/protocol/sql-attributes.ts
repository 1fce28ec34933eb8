import type { ResourceType } from './attributes.js';

/** Adds a value to the parameters of a statement, and returns its placeholder. */
export type Parameter = (value: unknown) => string;

/** Returns a text of the configuration as an SQL literal. Text from requests must be a parameter. */
export const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** An SQL expression for an attribute without sub-attributes. `null` stands for no value. */
export interface SqlValue {
  readonly sql: string;
  /** Whether the expression reads JSON or other rows. Such an expression is computed once for each row. */
  readonly isStored?: boolean;
  /** Whether all resources have a value. */
  readonly isRequired?: boolean;
  /** Whether the service stores the value without spaces at its ends. */
  readonly isTrimmed?: boolean;
  /** Returns the form in which the expression has a value, for an expression that ignores case already. */
  readonly keyOf?: (value: string) => string;
  /** The value as the client wrote it, for an expression of keys. `co`, `sw` and `ew` compare parts, which can differ between the value and its key. */
  readonly written?: string;
  /** Returns all forms in which the expression can have a value. */
  readonly formsOf?: (value: string) => readonly string[];
  /** Returns a condition for equality that an index supports. */
  readonly equals?: (parameter: Parameter, value: string) => string;
}

/** An attribute with several values: an item of `FROM` and the expressions of its sub-attributes (`value` for simple attributes). */
export interface SqlList {
  readonly from: string;
  /** Whether the item reads stored attributes. */
  readonly isStored?: boolean;
  readonly value: (subName: string) => SqlValue | undefined;
}

/** The attributes of a resource type in SQL. Names and paths are in lower case, such as `name.givenname`. */
export interface SqlAttributes {
  readonly type: ResourceType;
  /** An item of `FROM` that reads the stored attributes once for each row, if the resource type has some. */
  readonly stored?: string;
  readonly single: (path: string) => SqlValue | undefined;
  readonly list: (name: string) => SqlList | undefined;
}

/** A filter in SQL: further items of `FROM`, and the condition. */
export interface SqlFilter {
  readonly joins: string;
  readonly condition: string;
}

/** Expressions that a subquery computes once for each row, although several conditions use them. */
export class ComputedColumns {
  private readonly expressions = new Map<string, string>();

  constructor(private readonly alias: string) {}

  /** Returns the column with the value of the expression. */
  columnOf(expression: string): string {
    const name = this.expressions.get(expression) ?? `c${this.expressions.size}`;
    this.expressions.set(expression, name);
    return `${this.alias}.${name}`;
  }

  /** Returns the subquery as an item of `FROM`. `OFFSET 0` keeps the planner from copying the expressions into the conditions. */
  join(): string {
    if (this.expressions.size === 0) return '';
    const columns = [...this.expressions].map(([expression, name]) => `${expression} AS ${name}`).join(', ');
    return ` CROSS JOIN LATERAL (SELECT ${columns} OFFSET 0) ${this.alias}`;
  }
}
