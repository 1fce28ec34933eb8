import type { Schema } from './client';
import { findText, type TextId } from '../texts';
import { EVENT_CATALOGUE } from './event-catalogue.gen';

export type EventType = Schema<'EventResponse'>['type'];

/** Returns a short name of an event type, such as "User created". */
export const eventTitle = (type: EventType): string =>
  // A newer release can send types that this page does not know.
  findText(`eventTypes.${type}` satisfies TextId) ?? type;

/** The event types by resource. `wildcard` subscribes to the whole group, such as `user.*`. */
export const EVENT_GROUPS = [...new Set(EVENT_CATALOGUE.map(({ group }) => group))].map((name) => ({
  name,
  wildcard: `${name}.*`,
  types: EVENT_CATALOGUE.filter(({ group }) => group === name).map(({ type }) => type),
}));
