import { DomainError } from '#common';

/** The API key does not work from the caller's address: 403. */
export class NetworkNotAllowed extends DomainError {
  readonly code = 'network_not_allowed';
  readonly kind = 'forbidden';
  constructor(address: string | undefined) {
    super(
      `This API key does not work from the address ${address ?? 'of this request'}. Its networks are set when it is created.`,
    );
  }
}

/** A key that takes part no more can't hand over to a new one. */
export class ApiKeyExpired extends DomainError {
  readonly code = 'api_key_expired';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" has expired, so it can't be rotated. Create a new one.`);
  }
}

/** Rotating twice would leave two successors, of which one is easily forgotten. */
export class ApiKeyAlreadyRotated extends DomainError {
  readonly code = 'api_key_already_rotated';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" was rotated before. Rotate the key that came from that, or create a new one.`);
  }
}
