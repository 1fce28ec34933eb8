/** The value of a variable is invalid. The message is the end of "X must be …" and never contains the value. */
export class BadValue extends Error {
  /**
   * @param expected the end of "must be …"
   * @param wrong the problem, if the value does not show it, for example which entry of a list is invalid
   */
  constructor(
    readonly expected: string,
    readonly wrong?: string,
  ) {
    super(wrong ? `must be ${expected} (${wrong})` : `must be ${expected}`);
    this.name = 'BadValue';
  }
}
