import { DomainError } from '#platform/common';

export const WEBHOOKS_PER_ORGANIZATION_MAX = 50;

/** 403: a caller who selects which events are sent must have the permission to read events. */
export class EventsReadRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      `A webhook sends events to its destination, so this operation also requires the permission "events:read". The caller does not have this permission. Permissions from break-glass access don't count.`,
    );
  }
}

export class WebhookLimitReached extends DomainError {
  readonly code = 'webhook_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${WEBHOOKS_PER_ORGANIZATION_MAX} webhooks. Delete one that is no longer needed.`);
  }
}
