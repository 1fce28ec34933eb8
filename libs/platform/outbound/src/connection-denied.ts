/** A connection was denied, or the host name could not be resolved. The message can be shown to users. */
export class ConnectionDenied extends Error {
  constructor(
    readonly errorKind: 'blocked' | 'dns',
    message: string,
  ) {
    super(message);
  }
}
