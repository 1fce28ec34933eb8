/** Thrown by the parsers of single values. Its message ends the line "X must be …" and never quotes the value. */
export class BadValue extends Error {
  /**
   * @param expected what would be right, as in "must be …"
   * @param wrong what was wrong, where the value alone does not show it (for example which entry of a list)
   */
  constructor(
    readonly expected: string,
    readonly wrong?: string,
  ) {
    super(wrong ? `must be ${expected} (${wrong})` : `must be ${expected}`);
    this.name = 'BadValue';
  }
}
