import { DomainError } from '#platform/common';

export class WebhookDisabled extends DomainError {
  readonly code = 'webhook_disabled';
  readonly kind = 'conflict';
  constructor() {
    super('The webhook is disabled, so nothing is sent to it. Enable it first ({"enabled": true}).');
  }
}

export class DeliveryInProgress extends DomainError {
  readonly code = 'delivery_under_way';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`An attempt of the delivery "${id}" is in progress. Wait for its result before you resend the delivery.`);
  }
}

export class DeliveryNotRepeatable extends DomainError {
  readonly code = 'delivery_not_repeatable';
  readonly kind = 'conflict';
  constructor(id: string, why: string) {
    super(`The delivery "${id}" can't be resent: ${why}`);
  }
}

/** Maximum number of deliveries of one replay. */
export const REPLAY_MAX = 500_000;

export class ReplayTooLarge extends DomainError {
  readonly code = 'replay_too_large';
  readonly kind = 'rule_violated';
  constructor() {
    super(
      `More than ${REPLAY_MAX} deliveries match, which is the limit for one replay. Choose a shorter period with since and until.`,
    );
  }
}
