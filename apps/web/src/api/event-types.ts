import type { Schema } from './client';
import { EVENT_CATALOGUE } from './event-catalogue.gen';

export type EventType = Schema<'EventResponse'>['type'];

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  EVENT_CATALOGUE.map(({ type, description }) => [type, description.replace(/\.$/, '')]),
);

/** What an event of the type says, such as "A user signed in". */
export const descriptionOf = (type: EventType): string => DESCRIPTIONS.get(type) ?? type;
