import { createHash } from 'node:crypto';
import { TypeID, typeidUnboxed } from 'typeid-js';
import { DomainError } from './domain-error.js';
import { ID_PREFIXES, type ResourceKind } from './resource-kinds.js';

/** Returns a new ID. The IDs of one process are strictly increasing. */
export function newId(kind: ResourceKind): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

/** Returns the ID of a resource that another text identifies: the same ID for the same text. */
export function derivedId(kind: ResourceKind, text: string): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return TypeID.fromUUID(ID_PREFIXES[kind], uuid).toString();
}

/** Returns whether a text is a well-formed ID of a kind. The resource need not exist. */
export function isId(kind: ResourceKind, text: string): boolean {
  try {
    return text.startsWith(`${ID_PREFIXES[kind]}_`) && TypeID.fromString(text, ID_PREFIXES[kind]).toString() === text;
  } catch {
    return false;
  }
}

/** Returns the smallest ID of resources that are created at a time or later. Time filters and partitions use this ID as a bound. */
export function firstIdAt(kind: ResourceKind, at: Date): string {
  const hexMs = Math.max(0, Math.floor(at.getTime())).toString(16).padStart(12, '0').slice(-12);
  return TypeID.fromUUID(ID_PREFIXES[kind], `${hexMs.slice(0, 8)}-${hexMs.slice(8)}-0000-0000-000000000000`).toString();
}

/** The cursor is not an ID of the listed resource. */
export class InvalidCursor extends DomainError {
  readonly code = 'invalid_cursor';
  readonly kind = 'malformed';
  constructor(kind: ResourceKind) {
    super(`"after" must be the id of the last item of the previous page (${ID_PREFIXES[kind]}_…).`);
  }
}

/** The resource of the cursor was deleted, and the list can't continue without this resource. */
export class CursorGone extends DomainError {
  readonly code = 'cursor_gone';
  readonly kind = 'malformed';
}
