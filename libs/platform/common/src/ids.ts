import { TypeID, typeidUnboxed } from 'typeid-js';
import { DomainError } from './domain-error.js';
import { ID_PREFIXES, type ResourceKind } from './resource-kinds.js';

/** Makes a new id. Ids made by one process are strictly increasing. */
export function newId(kind: ResourceKind): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

/** Whether the text is a well-formed id of that kind; says nothing about whether such a resource exists. */
export function isId(kind: ResourceKind, text: string): boolean {
  try {
    return text.startsWith(`${ID_PREFIXES[kind]}_`) && TypeID.fromString(text, ID_PREFIXES[kind]).toString() === text;
  } catch {
    return false;
  }
}

/** The smallest id that a resource made at or after this moment can have: a bound for time filters and partitions. */
export function firstIdAt(kind: ResourceKind, at: Date): string {
  const hexMs = Math.max(0, Math.floor(at.getTime())).toString(16).padStart(12, '0').slice(-12);
  return TypeID.fromUUID(ID_PREFIXES[kind], `${hexMs.slice(0, 8)}-${hexMs.slice(8)}-0000-0000-000000000000`).toString();
}

/** A cursor that is not an id of the listed resource. Cursors are plain ids, so that nothing in them is ever trusted. */
export class InvalidCursor extends DomainError {
  readonly code = 'invalid_cursor';
  readonly kind = 'malformed';
  constructor(kind: ResourceKind) {
    super(`"after" must be the id of the last item of the previous page (${ID_PREFIXES[kind]}_…).`);
  }
}

/** What a cursor names is no longer there, so that a walk that needs it can't go on. */
export class CursorGone extends DomainError {
  readonly code = 'cursor_gone';
  readonly kind = 'malformed';
}
