import type { Schema } from './client';
import { EVENT_CATALOGUE } from './event-catalogue.gen';

export type EventType = Schema<'EventResponse'>['type'];

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  EVENT_CATALOGUE.map(({ type, description }) => [type, description.replace(/\.$/, '')]),
);

/** What an event of the type says, such as "A user signed in". */
export const descriptionOf = (type: EventType): string => DESCRIPTIONS.get(type) ?? type;

/** All types by what they are about; `wildcard` stands for a whole group where types are chosen, such as `user.*`. */
export const EVENT_GROUPS = [...new Set(EVENT_CATALOGUE.map(({ group }) => group))].map((name) => ({
  name,
  wildcard: `${name}.*`,
  types: EVENT_CATALOGUE.filter(({ group }) => group === name).map(({ type }) => type),
}));
