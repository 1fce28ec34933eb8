import type { EventType } from './catalog.js';

/**
 * Returns whether a subscription (`user.created`, `user.*`, `*`) covers an event type. `*` excludes `webhook.*`, so that a webhook for all
 * events does not receive the event of its own creation.
 */
export function coversEvent(subscription: string, type: EventType): boolean {
  if (subscription === '*') return !type.startsWith('webhook.');
  return subscription === type || (subscription.endsWith('.*') && type.startsWith(subscription.slice(0, -1)));
}
