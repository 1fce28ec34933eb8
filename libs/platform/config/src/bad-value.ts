/** The value of a variable is invalid. The message is the end of "X must be …" and never contains the value. */
export class BadValue extends Error {
  /**
   * @param expected the end of "must be …"
   * @param wrong details of the problem, for example the number of the invalid list entry
   */
  constructor(
    readonly expected: string,
    readonly wrong?: string,
  ) {
    super(wrong ? `must be ${expected} (${wrong})` : `must be ${expected}`);
    this.name = 'BadValue';
  }
}
