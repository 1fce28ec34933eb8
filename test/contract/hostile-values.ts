import { type Document, plainSchema, type Schema } from '../support/operations.js';

/** A value that a field must reject, and the pointer that the error must have. */
export interface HostileValue {
  why: string;
  value: unknown;
  /** The pointer from the field to the invalid part of the value. */
  path: string;
}

const hostile = (why: string, value: unknown, path = ''): HostileValue => ({ why, value, path });

const WRONG_TYPES: Record<string, readonly unknown[]> = {
  string: [12, true, ['text'], { text: 'text' }],
  integer: ['12', '', 1.5, true, [1], { value: 1 }],
  boolean: ['true', '', 0, 1, [true], {}],
  array: ['text', '', 5, true, { 0: 'text' }],
  object: ['text', '', 5, true, [{}]],
};

/** Returns values of the wrong type, size, format or content for a JSON field. An exact text can have any characters, such as a password. */
export function hostileValues(document: Document, schema: Schema, isExact = false): HostileValue[] {
  const plain = plainSchema(document, schema);
  return [
    ...(WRONG_TYPES[plain.type] ?? []).map((value) => hostile(`the wrong type ${JSON.stringify(value)}`, value)),
    ...(plain.type === 'string' ? hostileTexts(plain, isExact) : []),
    ...(plain.type === 'integer' ? hostileNumbers(plain) : []),
    ...(plain.type === 'array' ? hostileLists(document, plain) : []),
    ...(plain.type === 'object' ? hostileObjects(plain) : []),
  ];
}

export function hostileParameters(document: Document, schema: Schema): HostileValue[] {
  const plain = plainSchema(document, schema);
  if (plain.type === 'integer') {
    const texts = ['abc', '', ' ', '1.5', '1e2', '0x10', 'Infinity', '9'.repeat(400)];
    return [...texts.map((text) => hostile(`the text ${text.slice(0, 10)}`, text)), ...hostileNumbers(plain)];
  }
  if (plain.type === 'boolean') return ['yes', '', '1', 'TRUE'].map((text) => hostile(`the text "${text}"`, text));
  return hostileTexts(plain, true).filter(({ value }) => typeof value === 'string' && value.isWellFormed());
}

/** Characters that control how a text is shown, or what a terminal or log does with it. */
const UNSAFE = ['\x1b', '\x85', '\u2028', '\u202e', '\u2066', '\ufeff', '\ufffe', '\u{e0041}'];

function hostileTexts({ enum: choices, minLength = 0, maxLength, pattern, format }: Schema, isExact = false): HostileValue[] {
  const mismatch =
    pattern === undefined
      ? undefined
      : ['!', '\u{1f600}:', 'role_x', 'two\nlines', ' \n'].find((text) => !new RegExp(pattern, 'u').test(text));
  return [
    hostile('NUL', 'te\0xt'),
    hostile('half of a surrogate pair', 'te\ud800xt'),
    ...(isExact ? [] : UNSAFE.map((character) => hostile(`U+${character.codePointAt(0)!.toString(16)}`, `te${character}xt`))),
    hostile('an object that would be called', { constructor: {} }, '/constructor'),
    ...(minLength > 0 || choices ? [hostile('an empty text', '')] : []),
    ...(maxLength === undefined
      ? []
      : [hostile('a text with one character too many', 'a'.repeat(maxLength + 1)), hostile('a huge text', 'a'.repeat(100_000))]),
    ...(choices ? [hostile('an unknown choice', 'no_such_choice'), hostile('__proto__', '__proto__')] : []),
    ...(mismatch === undefined ? [] : [hostile('a text that does not match the pattern', mismatch)]),
    ...(format === 'email'
      ? ['ada', 'ada@', '@example.com', 'a b@example.com'].map((text) => hostile(`no address: ${text}`, text))
      : []),
    ...(format === 'uri'
      ? ['example', '//example.com', 'javascript:alert(1)'].map((text) => hostile(`no URL: ${text}`, text))
      : []),
    ...(format === 'date-time'
      ? [
          '2027-02-31T00:00:00Z',
          'yesterday',
          '2027-01-01T24:00:00Z',
          '2027-01-31T12:00:00',
          '2027-01-31',
          `2026-01-31T12:00:00.${'0'.repeat(100)}Z`,
        ].map((text) => hostile(`no time: ${text}`, text))
      : []),
  ];
}

function hostileNumbers({ minimum, maximum }: Schema): HostileValue[] {
  return [
    ...(minimum === undefined
      ? []
      : [hostile('one below the minimum', minimum - 1), hostile('far below the minimum', -9_007_199_254_740_991)]),
    ...(maximum === undefined
      ? []
      : [hostile('one above the maximum', maximum + 1), hostile('far above the maximum', 9_007_199_254_740_991)]),
  ];
}

function hostileLists(document: Document, schema: Schema): HostileValue[] {
  const { items = {}, minItems = 0, maxItems, uniqueItems } = schema;
  const item = plainSchema(document, items);
  const validItem = item.enum?.[0] ?? items.example ?? 'some';
  const badItems =
    item.type === 'object'
      ? []
      : hostileValues(document, items).map((bad) => hostile(`an item: ${bad.why}`, [bad.value], `/0${bad.path}`));
  return [
    ...badItems,
    ...(item.type === 'object'
      ? [hostile('an item that is text', ['text']), hostile('an item that is null', [null])]
      : [hostile('an item that is null', [null], '/0')]),
    ...(minItems > 0 ? [hostile('an empty list', [])] : []),
    ...(maxItems === undefined || item.enum ? [] : [hostile('one item too many', distinctItems(maxItems + 1))]),
    ...(uniqueItems && (maxItems ?? 2) > 1 && (item.enum || !item.pattern)
      ? [hostile('an item twice', [validItem, validItem])]
      : []),
  ];
}

const distinctItems = (count: number): unknown[] => Array.from({ length: count }, (_, index) => `item-${index}`);

/** Returns invalid objects for fields with arbitrary keys, such as metadata and headers. Returns none for objects with declared fields. */
function hostileObjects({ properties, additionalProperties, maxProperties = 0 }: Schema): HostileValue[] {
  if (properties) return [];
  const tooMany = Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, index) => [`k-${index}`, 'value']));
  const common = [hostile('one key too many', tooMany)];
  if (additionalProperties !== true)
    return [
      ...common,
      hostile('a value that is no text', { 'x-a': 5 }, '/x-a'),
      hostile('a line break', { 'x-a': 'a\r\nb' }, '/x-a'),
    ];
  const deep = Array.from({ length: 11 }).reduce<unknown>((inner) => ({ inner }), 1);
  return [
    ...common,
    hostile('11 levels', deep),
    hostile('more than 16 KB', { key: 'x'.repeat(16 * 1024) }),
    hostile('NUL in a value', { key: 'a\0b' }),
    hostile('NUL in a key', { 'a\0b': 1 }),
    hostile('NUL deep inside', { key: [{ inner: 'a\0b' }] }),
    hostile('half of a surrogate pair', { key: '\udc00' }),
    hostile('the key __proto__', JSON.parse('{"__proto__": {"admin": true}}'), '/__proto__'),
    hostile('the key constructor', { inner: { constructor: { prototype: {} } } }, '/inner/constructor'),
  ];
}
