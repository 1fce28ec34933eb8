import { DomainError } from '#platform/common';

const MAX_DEPTH = 32;
/** Checking a body against its class compares all names of an object with one another; 20,000 of them kept a processor for 0.4 s. */
const MAX_FIELDS = 1_000;

/** A body whose objects and lists stand inside one another too deeply: 400. */
export class JsonTooDeep extends DomainError {
  readonly code = 'json_too_deep';
  readonly kind = 'malformed';
  constructor() {
    super(`The JSON nests objects and arrays more than ${MAX_DEPTH} levels deep.`);
  }
}

/** A body with an object of very many fields: 400. */
export class JsonTooWide extends DomainError {
  readonly code = 'json_too_wide';
  readonly kind = 'malformed';
  constructor() {
    super(`The JSON contains an object with more than ${MAX_FIELDS.toLocaleString('en')} fields.`);
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * What is wrong with the shape of JSON (UTF-8), told from its brackets and commas alone: parsing 100,000 lists within one another takes
 * twenty times as long, and eight such bodies at once would keep all others waiting. Fields of the same name count each. What is no JSON
 * is left to the parser, unless it is too deep or too wide as far as it goes.
 */
export function shapeProblemOf(json: Uint8Array): JsonTooDeep | JsonTooWide | undefined {
  /** Of each object or list that is open: how many fields it has so far, or NaN for lists. */
  const fields: number[] = [];
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isInText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (fields.push(byte === OPEN_OBJECT ? 1 : NaN) > MAX_DEPTH) return new JsonTooDeep();
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) fields.pop();
    else if (byte === COMMA && ++fields[fields.length - 1]! > MAX_FIELDS) return new JsonTooWide();
  }
  return undefined;
}
