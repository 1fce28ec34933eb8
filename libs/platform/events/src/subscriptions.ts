import type { EventType } from './catalogue.js';

/**
 * Whether a subscription (`user.created`, `user.*`, `*`) covers an event type. `*` leaves out `webhook.*`, so that receivers of all events
 * don't begin with the creation of their own webhook.
 */
export function coversEvent(subscription: string, type: EventType): boolean {
  if (subscription === '*') return !type.startsWith('webhook.');
  return subscription === type || (subscription.endsWith('.*') && type.startsWith(subscription.slice(0, -1)));
}
