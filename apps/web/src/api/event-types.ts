import type { Schema } from './client';
import { findText, type TextId } from '../texts';
import { EVENT_CATALOGUE } from './event-catalogue.gen';

export type EventType = Schema<'EventResponse'>['type'];

/** A short name for events of the type, such as "User created". */
export const eventTitle = (type: EventType): string =>
  // An event can be of a type that only a newer release knows.
  findText(`eventTypes.${type}` satisfies TextId) ?? type;

/** All types by what they are about; `wildcard` stands for a whole group where types are chosen, such as `user.*`. */
export const EVENT_GROUPS = [...new Set(EVENT_CATALOGUE.map(({ group }) => group))].map((name) => ({
  name,
  wildcard: `${name}.*`,
  types: EVENT_CATALOGUE.filter(({ group }) => group === name).map(({ type }) => type),
}));
