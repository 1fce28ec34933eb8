/** A connection that was not made: the destination may not be reached, or its name leads nowhere. The message is fit to be shown. */
export class ConnectionDenied extends Error {
  constructor(
    readonly errorKind: 'blocked' | 'dns',
    message: string,
  ) {
    super(message);
  }
}
