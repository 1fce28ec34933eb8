import { isUtf8 } from 'node:buffer';
import { DomainError, InvalidRequest } from '#platform/common';
import { ambiguousFieldsOf } from './ambiguous-fields.js';
import { shapeOf } from './json-shape.js';
import { syntaxErrorOf } from './syntax-error.js';

export interface JsonOptions {
  /** Maximum number of fields and items. Default: 10,000. */
  readonly maxValues?: number;
  /** The pointer to the JSON, if the JSON is a part of a document. */
  readonly pointer?: string;
}

export class MalformedJson extends DomainError {
  readonly code = 'malformed_json';
  readonly kind = 'malformed';
}

/**
 * Reads JSON that another program wrote (RFC 8259, strict UTF-8, with or without a byte order mark), in linear time. What two programs would
 * read differently is rejected: duplicate fields, and numbers that JavaScript would round.
 * @throws MalformedJson, JsonTooDeep, JsonTooWide, InvalidRequest (400)
 */
export function readJson(bytes: Buffer, { maxValues = 10_000, pointer = '' }: JsonOptions = {}): unknown {
  if (!isUtf8(bytes)) throw new MalformedJson('The JSON is not in UTF-8. Encode its text in UTF-8.');
  const { memberCount, hasInexactNumber } = shapeOf(bytes, maxValues);
  const text = new TextDecoder().decode(bytes);
  const value = parsed(text);
  if (hasInexactNumber || membersOf(value) !== memberCount) throw new InvalidRequest(ambiguousFieldsOf(text, pointer));
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new MalformedJson(`The JSON is not valid${syntaxErrorOf(text)}. Create it with a JSON library.`);
  }
}

/** Returns the number of members of all objects. The parser keeps only the last of two members with the same name. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += membersOf(item);
  // Unlike Object.values, this creates no list for each of 100,000 objects. The parser's objects inherit no enumerable members.
  else for (const name in value) count += 1 + membersOf(value[name as keyof typeof value]);
  return count;
}

/** Returns the JSON of a value in one form: members sorted by name, no spaces, numbers by value. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
