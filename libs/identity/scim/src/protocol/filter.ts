import { FilterTokens, invalidFilter } from './filter-tokens.js';
import { ScimRequestInvalid } from './scim-errors.js';

const MAX_LENGTH = 4_000;
const MAX_CONDITIONS = 100;
/** Maximum number of parentheses and brackets in each other. */
const MAX_DEPTH = 20;

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type ComparisonOperator = (typeof COMPARISONS)[number];

/** A condition on one attribute. */
export type Condition =
  | { readonly op: 'pr'; readonly attrPath: string }
  | { readonly op: ComparisonOperator; readonly attrPath: string; readonly compValue: string | number | boolean | null };

/** A filter (RFC 7644, section 3.4.2.2). `[]` is a filter on the values of one attribute, such as `emails[type eq "work"]`. */
export type Filter =
  | Condition
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | { readonly op: '[]'; readonly attrPath: string; readonly valFilter: Filter };

/** Attributes with an index whose values are keys or nearly so. */
const KEYS = new Set(['id', 'username', 'externalid', 'emails.value']);

/** Returns whether a filter finds few resources with an index, so that the plan of its statement is the same for all values. */
export const isLookup = (filter: Filter | undefined): boolean =>
  filter?.op === 'eq' && typeof filter.compValue === 'string' && KEYS.has(filter.attrPath.toLowerCase());

/** The path of a PATCH operation: `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`. */
export interface FilteredPath {
  readonly attrPath: string;
  readonly filter?: Filter;
}

/** Parses a filter in linear time. @throws ScimRequestInvalid (400, invalidFilter) */
export function parseFilter(text: string): Filter {
  const parser = new FilterParser(tokensOf(text));
  const filter = parser.parse();
  parser.assertEnd();
  return filter;
}

/** Parses the path of a PATCH operation in linear time. @throws ScimRequestInvalid (400, invalidPath, invalidFilter) */
export function parsePath(path: string): FilteredPath {
  const bracket = path.indexOf('[');
  if (bracket === -1) return { attrPath: path };
  const parser = new FilterParser(tokensOf(path.slice(bracket)));
  const filter = parser.parseBrackets();
  const subName = parser.readSubAttribute();
  if (!parser.isAtEnd) throw new ScimRequestInvalid('invalidPath', `"${path.slice(0, 200)}" is not a path.`);
  const name = path.slice(0, bracket);
  return { attrPath: subName === undefined ? name : `${name}.${subName}`, filter };
}

function tokensOf(text: string): FilterTokens {
  if (text.length > MAX_LENGTH)
    throw invalidFilter(`The filter is longer than ${MAX_LENGTH} characters. Send a shorter one, or several requests.`);
  return new FilterTokens(text);
}

class FilterParser {
  private conditions = 0;

  constructor(private readonly tokens: FilterTokens) {}

  get isAtEnd(): boolean {
    return this.tokens.next.type === 'end';
  }

  assertEnd(): void {
    if (!this.isAtEnd) throw this.tokens.unexpected('"and", "or" or the end of the filter');
  }

  parse(depth = 0, isInBrackets = false): Filter {
    return this.joined('or', () => this.joined('and', () => this.operand(depth, isInBrackets)));
  }

  /** Parses a filter in brackets. */
  parseBrackets(depth = 0): Filter {
    this.tokens.expect('[');
    const filter = this.parse(this.deeper(depth), true);
    this.tokens.expect(']');
    return filter;
  }

  /** Reads the name of a sub-attribute after brackets, such as `.value`, if there is one. */
  readSubAttribute(): string | undefined {
    const { next } = this.tokens;
    if (!next.isAdjacent || !next.text.startsWith('.')) return undefined;
    this.tokens.take();
    return next.text.slice(1);
  }

  private joined(op: 'and' | 'or', operand: () => Filter): Filter {
    const filters = [operand()];
    while (this.tokens.takeKeyword(op)) filters.push(operand());
    return filters.length === 1 ? filters[0]! : { op, filters };
  }

  private operand(depth: number, isInBrackets: boolean): Filter {
    const isNegated = this.tokens.takeKeyword('not');
    if (!isNegated && this.tokens.next.type !== '(') return this.attributeFilter(depth, isInBrackets);
    this.tokens.expect('(');
    const filter = this.parse(this.deeper(depth), isInBrackets);
    this.tokens.expect(')');
    return isNegated ? { op: 'not', filter } : filter;
  }

  private attributeFilter(depth: number, isInBrackets: boolean): Filter {
    const attrPath = this.tokens.takeWord('the name of an attribute');
    const { next } = this.tokens;
    if (isInBrackets || next.type !== '[' || !next.isAdjacent) return this.condition(attrPath);
    const valFilter = this.parseBrackets(depth);
    const subName = this.readSubAttribute();
    if (subName === undefined) return { op: '[]', attrPath, valFilter };
    // Entra ID sends `emails[type eq "work"].value eq "a@example.com"`: both conditions are about the same value.
    return { op: '[]', attrPath, valFilter: { op: 'and', filters: [valFilter, this.condition(subName)] } };
  }

  private condition(attrPath: string): Condition {
    if (++this.conditions > MAX_CONDITIONS)
      throw invalidFilter(`The filter has more than ${MAX_CONDITIONS} conditions. Send several requests.`);
    if (this.tokens.takeKeyword('pr')) return { op: 'pr', attrPath };
    const op = COMPARISONS.find((each) => this.tokens.takeKeyword(each));
    if (!op) throw this.tokens.unexpected(`an operator (${COMPARISONS.join(', ')}, pr)`);
    return { op, attrPath, compValue: this.tokens.takeValue() };
  }

  private deeper(depth: number): number {
    if (depth === MAX_DEPTH) throw invalidFilter(`The filter has more than ${MAX_DEPTH} parentheses in each other.`);
    return depth + 1;
  }
}

/** Returns the conditions of a filter. */
export function conditionsOf(filter: Filter): Condition[] {
  if ('filters' in filter) return filter.filters.flatMap(conditionsOf);
  if ('filter' in filter) return conditionsOf(filter.filter);
  return 'valFilter' in filter ? conditionsOf(filter.valFilter) : [filter];
}
