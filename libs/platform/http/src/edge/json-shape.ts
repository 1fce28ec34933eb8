import { DomainError } from '#platform/common';

const MAX_DEPTH = 32;
/** Maximum number of fields in an object. Validation time is quadratic in the number of fields: 20,000 fields take 0.4 s. */
const MAX_FIELDS = 1_000;

export class JsonTooDeep extends DomainError {
  readonly code = 'json_too_deep';
  readonly kind = 'malformed';
  constructor() {
    super(`The JSON nests objects and arrays more than ${MAX_DEPTH} levels deep.`);
  }
}

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
 * Returns the problem of JSON that is too deep or too wide. Checks only brackets and commas, because parsing 100,000 nested arrays would
 * take twenty times as long and block other requests. Counts duplicate fields separately. Ignores syntax errors, which the parser reports.
 */
export function shapeProblemOf(json: Uint8Array): JsonTooDeep | JsonTooWide | undefined {
  /** The number of fields of each open object so far. NaN for open arrays. */
  const fieldCounts: number[] = [];
  let isInString = false;
  for (let position = 0; position < json.length; position++) {
    const byte = json[position];
    if (isInString) {
      if (byte === BACKSLASH) position++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (fieldCounts.push(byte === OPEN_OBJECT ? 1 : NaN) > MAX_DEPTH) return new JsonTooDeep();
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) fieldCounts.pop();
    else if (byte === COMMA) {
      const count = (fieldCounts.at(-1) ?? NaN) + 1;
      if (count > MAX_FIELDS) return new JsonTooWide();
      if (fieldCounts.length > 0) fieldCounts[fieldCounts.length - 1] = count;
    }
  }
  return undefined;
}
