import { DomainError } from '#platform/common';

/** The authorization request expired, was answered, or was started in another browser: 404. */
export class InteractionNotFound extends DomainError {
  readonly code = 'oauth_interaction_not_found';
  readonly kind = 'not_found';
  constructor() {
    super(
      'This request of an application has expired, was already answered, or was started in another browser. Start again in the application.',
    );
  }
}

/** The request asks another question now: 409. */
export class InteractionElsewhere extends DomainError {
  readonly code = 'oauth_interaction_answered';
  readonly kind = 'conflict';
  constructor(prompt: string) {
    super(`The request of the application asks for "${prompt}" now. Read the interaction again.`);
  }
}
