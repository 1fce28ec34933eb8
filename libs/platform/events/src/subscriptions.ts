import { EVENT_TYPES, type EventType } from './catalogue.js';

/**
 * Whether a subscription (`user.created`, `user.*`, `*`) covers an event type. `*` leaves out `webhook.*`, so that receivers of all events
 * don't begin with the creation of their own webhook.
 */
export function coversEvent(subscription: string, type: EventType): boolean {
  if (subscription === '*') return !type.startsWith('webhook.');
  return subscription === type || (subscription.endsWith('.*') && type.startsWith(subscription.slice(0, -1)));
}

/** Everything that a webhook's `events` may name. */
export const SUBSCRIPTIONS: readonly string[] = [
  '*',
  ...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`)),
  ...EVENT_TYPES,
];
