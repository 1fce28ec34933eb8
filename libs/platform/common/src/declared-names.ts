/**
 * Names of the form `group:name`, such as permissions and event types, which libraries add while they are loaded. The lists are updated in
 * place, so a decorator that contains a list also contains later names. A copy of a list lacks later names.
 */
export class DeclaredNames<Name extends string> {
  /**
   * The initial names in their original order, then the added names in alphabetical order. The order in which libraries are loaded has no
   * effect.
   */
  readonly names: readonly Name[];
  /** All patterns: `*`, `group:*` for each group, and the names. */
  readonly patterns: readonly string[];
  private readonly firstCount: number;

  constructor(
    private readonly separator: ':' | '.',
    first: readonly Name[],
  ) {
    this.firstCount = first.length;
    this.names = [...first];
    this.patterns = this.allPatterns();
  }

  add(added: readonly Name[]): void {
    const first = this.names.slice(0, this.firstCount);
    const rest = new Set([...this.names, ...added].filter((name) => !first.includes(name)));
    replace(this.names, [...first, ...[...rest].toSorted()]);
    replace(this.patterns, this.allPatterns());
  }

  private allPatterns(): string[] {
    const groups = new Set(this.names.map((name) => `${name.slice(0, name.indexOf(this.separator))}${this.separator}*`));
    return ['*', ...groups, ...this.names];
  }
}

function replace<Item>(list: readonly Item[], items: readonly Item[]): void {
  (list as Item[]).splice(0, list.length, ...items);
}
