import { readFileSync } from 'node:fs';
import { fieldsOf, type Shape } from './fields.js';

/** The tables of the specification: resources (2.1 to 2.9), responses that differ from a resource (4.x), and events (6.x), each with its section. */
const { tables, eventTypes } = JSON.parse(
  readFileSync(new URL('vectors/specification-tables.json', import.meta.url), 'utf8'),
) as {
  tables: Record<string, { section: string; extends?: string; fields: Shape }>;
  eventTypes: Record<string, string[]>;
};

/** Returns the exact fields of a table. */
function table(name: string): Shape {
  const { extends: base, fields } = tables[name]!;
  return { ...(base && table(base)), ...Object.fromEntries(fieldsOf(fields)) };
}

export const USER = table('user');
export const REDUCED_USER = table('reduced user');
export const CREATED_USER = table('created user');
export const UPDATED_USER = table('updated user');
export const SUSPENDED_USER = table('suspended user');
export const ASSIGNED_ROLE = table('assigned role');
export const ORGANIZATION = table('organization');
export const LISTED_ORGANIZATION = table('listed organization');
export const CREATED_ORGANIZATION = table('created organization');
export const LISTED_MEMBER = table('listed member');
export const ADDED_MEMBER = table('added member');
export const CREATED_WEBHOOK = table('created webhook');
export const WEBHOOK = table('webhook');
export const WEBHOOK_TEST = table('webhook test');
export const PAGINATION = table('pagination');
export const USER_CREATED_DATA = table('user created data');
/** 2.9: the fields of a list. */
export const LIST: readonly string[] = ['data', 'pagination'];
/** 6.1: the event types. The catalog has more. */
export const EVENT_TYPES: readonly string[] = Object.entries(eventTypes).flatMap(([resource, verbs]) =>
  verbs.map((verb) => `${resource}.${verb}`),
);
/** 6.2: an event. */
export const EVENT_PAYLOAD: Shape = { ...table('event'), type: EVENT_TYPES };
