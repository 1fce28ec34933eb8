import { DomainError } from '#common';

export class WebhookDisabled extends DomainError {
  readonly code = 'webhook_disabled';
  readonly kind = 'conflict';
  constructor() {
    super('The webhook is switched off, so that nothing is sent to it. Switch it on first ({"enabled": true}).');
  }
}

export class DeliveryUnderWay extends DomainError {
  readonly code = 'delivery_under_way';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The delivery "${id}" is being sent right now. Wait for the result.`);
  }
}

export class DeliveryNotRepeatable extends DomainError {
  readonly code = 'delivery_not_repeatable';
  readonly kind = 'conflict';
  constructor(id: string, why: string) {
    super(`The delivery "${id}" can't be sent again: ${why}`);
  }
}

/** How many deliveries one replay may send again. */
export const REPLAY_MAX = 500_000;

export class ReplayTooLarge extends DomainError {
  readonly code = 'replay_too_large';
  readonly kind = 'rule_violated';
  constructor() {
    super(`More than ${REPLAY_MAX} deliveries match, the most for one replay. Choose a shorter time with since and until.`);
  }
}
