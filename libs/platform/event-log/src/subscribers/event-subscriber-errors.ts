import { DomainError } from '#platform/common';

export class OnlyForOperators extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super('Only a platform key or an operator session can use event subscribers.');
  }
}

export class EventSubscriberNotStopped extends DomainError {
  readonly code = 'event_subscriber_not_stopped';
  readonly kind = 'conflict';
  constructor(subscriber: string) {
    super(`The event subscriber "${subscriber.slice(0, 80)}" is not stopped for this organization.`);
  }
}
