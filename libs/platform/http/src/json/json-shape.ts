import { DomainError } from '#platform/common';
import { isExactNumber } from './exact-number.js';

const MAX_DEPTH = 32;
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
  constructor(what: string) {
    super(`The JSON contains ${what}.`);
  }
}

/** What the reader must compare with the parsed JSON. */
export interface JsonShape {
  /** Number of members of all objects. Counts a duplicate name again. */
  readonly memberCount: number;
  readonly hasInexactNumber: boolean;
}

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x30, 0x39];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Checks the size of JSON before it is parsed, because parsing 100,000 nested arrays would take twenty times as long and block other
 * requests. Ignores syntax errors, which the parser reports.
 * @throws JsonTooDeep, JsonTooWide
 */
export function shapeOf(json: Buffer, maxValues: number): JsonShape {
  /** The number of fields of each open object so far. NaN for open arrays. */
  const fieldCounts: number[] = [];
  let valueCount = 1;
  let memberCount = 0;
  let hasInexactNumber = false;
  for (let position = 0; position < json.length; position++) {
    const byte = json[position]!;
    if (byte === QUOTE) position = endOfText(json, position);
    else if (byte === COLON) memberCount++;
    else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const end = endOfNumber(json, position);
      hasInexactNumber ||= !isExact(json, position, end);
      position = end - 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (fieldCounts.push(byte === OPEN_OBJECT ? 1 : NaN) > MAX_DEPTH) throw new JsonTooDeep();
      valueCount++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) fieldCounts.pop();
    else if (byte === COMMA) {
      valueCount++;
      const count = (fieldCounts.at(-1) ?? NaN) + 1;
      if (count > MAX_FIELDS) throw new JsonTooWide(`an object with more than ${MAX_FIELDS.toLocaleString('en')} fields`);
      if (fieldCounts.length > 0) fieldCounts[fieldCounts.length - 1] = count;
    }
    if (valueCount > maxValues) throw new JsonTooWide(`more than ${maxValues.toLocaleString('en')} values`);
  }
  return { memberCount, hasInexactNumber };
}

/** Returns the position of the closing quote, or of the end. */
function endOfText(json: Buffer, start: number): number {
  let end = start + 1;
  while (end < json.length && json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}

/** Marks the bytes of a number: digits, signs, a point and an exponent. */
const IN_NUMBER = tableOf('0123456789+-.eE');
const IS_EXPONENT = tableOf('eE');

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

function endOfNumber(json: Buffer, start: number): number {
  let end = start + 1;
  while (IN_NUMBER[json[end] ?? 0] === 1) end++;
  return end;
}

/** Number of decimal digits that every double keeps. */
const KEPT_DIGITS = 15;

function isExact(json: Buffer, start: number, end: number): boolean {
  let isShort = end - start <= KEPT_DIGITS;
  for (let position = start; isShort && position < end; position++) isShort = IS_EXPONENT[json[position]!] === 0;
  return isShort || isExactNumber(json.toString('latin1', start, end));
}
