import { DomainError } from '#common';

/** Nobody can hand on what they lack: a role is given only by those who hold all of its permissions of this service. */
export class GrantBeyondOwn extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(role: string, lacking: readonly string[]) {
    super(`The role "${role}" holds permissions that this caller lacks: ${lacking.join(', ')}.`);
  }
}
