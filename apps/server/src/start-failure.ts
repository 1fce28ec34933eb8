/** The service can't start; the message is one line that tells the operator why and what to do. */
export class StartFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartFailure';
  }
}
