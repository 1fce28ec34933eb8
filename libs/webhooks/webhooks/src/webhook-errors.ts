import { DomainError } from '#platform/common';

export const WEBHOOKS_PER_ORGANIZATION_MAX = 50;

export class WebhookLimitReached extends DomainError {
  readonly code = 'webhook_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${WEBHOOKS_PER_ORGANIZATION_MAX} webhooks. Delete one that is no longer needed.`);
  }
}
