import { type Document, plainSchema, type Schema } from '../support/operations.js';

/** A value that a field must reject, and the pointer that the error must have. */
export interface HostileValue {
  why: string;
  value: unknown;
  /** From the field to the wrong part of the value. */
  path: string;
}

const refuse = (why: string, value: unknown, path = ''): HostileValue => ({ why, value, path });

const WRONG_TYPES: Record<string, readonly unknown[]> = {
  string: [12, true, ['text'], { text: 'text' }],
  integer: ['12', '', 1.5, true, [1], { value: 1 }],
  boolean: ['true', '', 0, 1, [true], {}],
  array: ['text', '', 5, true, { 0: 'text' }],
  object: ['text', '', 5, true, [{}]],
};

/** Returns values that the schema of a JSON field rejects: wrong type, size, form or content. */
export function hostileValues(document: Document, schema: Schema): HostileValue[] {
  const plain = plainSchema(document, schema);
  return [
    ...(WRONG_TYPES[plain.type] ?? []).map((value) => refuse(`the wrong type ${JSON.stringify(value)}`, value)),
    ...(plain.type === 'string' ? hostileTexts(plain) : []),
    ...(plain.type === 'integer' ? hostileNumbers(plain) : []),
    ...(plain.type === 'array' ? hostileLists(document, plain) : []),
    ...(plain.type === 'object' ? hostileObjects(plain) : []),
  ];
}

/** Returns invalid texts for a query parameter. */
export function hostileParameters(document: Document, schema: Schema): HostileValue[] {
  const plain = plainSchema(document, schema);
  if (plain.type === 'integer') {
    const texts = ['abc', '', ' ', '1.5', '1e2', '0x10', 'Infinity', '9'.repeat(400)];
    return [...texts.map((text) => refuse(`the text ${text.slice(0, 10)}`, text)), ...hostileNumbers(plain)];
  }
  if (plain.type === 'boolean') return ['yes', '', '1', 'TRUE'].map((text) => refuse(`the text "${text}"`, text));
  return hostileTexts(plain).filter(({ value }) => typeof value === 'string' && value.isWellFormed());
}

function hostileTexts({ enum: choices, minLength = 0, maxLength, pattern, format }: Schema): HostileValue[] {
  const misfit =
    pattern === undefined
      ? undefined
      : ['!', '\u{1f600}:', 'role_x', 'two\nlines', ' \n'].find((text) => !new RegExp(pattern, 'u').test(text));
  return [
    refuse('NUL', 'te\0xt'),
    refuse('half of a surrogate pair', 'te\ud800xt'),
    refuse('an object that would be called', { constructor: {} }, '/constructor'),
    ...(minLength > 0 || choices ? [refuse('an empty text', '')] : []),
    ...(maxLength === undefined
      ? []
      : [refuse('a text one too long', 'a'.repeat(maxLength + 1)), refuse('a huge text', 'a'.repeat(100_000))]),
    ...(choices ? [refuse('an unknown choice', 'no_such_choice'), refuse('__proto__', '__proto__')] : []),
    ...(misfit === undefined ? [] : [refuse('a text of another form', misfit)]),
    ...(format === 'email'
      ? ['ada', 'ada@', '@example.com', 'a b@example.com'].map((text) => refuse(`no address: ${text}`, text))
      : []),
    ...(format === 'uri'
      ? ['example', '//example.com', 'javascript:alert(1)'].map((text) => refuse(`no URL: ${text}`, text))
      : []),
    ...(format === 'date-time'
      ? ['yesterday', '2026-13-01T00:00:00Z', '12', `2026-01-31T12:00:00.${'0'.repeat(100)}Z`].map((text) =>
          refuse(`no time: ${text}`, text),
        )
      : []),
  ];
}

function hostileNumbers({ minimum, maximum }: Schema): HostileValue[] {
  return [
    ...(minimum === undefined ? [] : [refuse('one below the least', minimum - 1), refuse('far below', -9_007_199_254_740_991)]),
    ...(maximum === undefined ? [] : [refuse('one above the most', maximum + 1), refuse('far above', 9_007_199_254_740_991)]),
  ];
}

function hostileLists(document: Document, schema: Schema): HostileValue[] {
  const { items = {}, minItems = 0, maxItems, uniqueItems } = schema;
  const item = plainSchema(document, items);
  const some = item.enum?.[0] ?? items.example ?? 'some';
  const badItems =
    item.type === 'object'
      ? []
      : hostileValues(document, items).map((bad) => refuse(`an item: ${bad.why}`, [bad.value], `/0${bad.path}`));
  return [
    ...badItems,
    ...(item.type === 'object'
      ? [refuse('an item that is text', ['text']), refuse('an item that is null', [null])]
      : [refuse('an item that is null', [null], '/0')]),
    ...(minItems > 0 ? [refuse('an empty list', [])] : []),
    ...(maxItems === undefined || item.enum ? [] : [refuse('one item too many', distinctItems(maxItems + 1))]),
    ...(uniqueItems && (maxItems ?? 2) > 1 && (item.enum || !item.pattern) ? [refuse('an item twice', [some, some])] : []),
  ];
}

const distinctItems = (count: number): unknown[] => Array.from({ length: count }, (_, index) => `item-${index}`);

/** Returns invalid objects with free keys: metadata and headers. Objects with fields of their own are tested field by field. */
function hostileObjects({ properties, additionalProperties, maxProperties = 0 }: Schema): HostileValue[] {
  if (properties) return [];
  const tooMany = Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, index) => [`k-${index}`, 'value']));
  const common = [refuse('one key too many', tooMany)];
  if (additionalProperties !== true)
    return [
      ...common,
      refuse('a value that is no text', { 'x-a': 5 }, '/x-a'),
      refuse('a line break', { 'x-a': 'a\r\nb' }, '/x-a'),
    ];
  const deep = Array.from({ length: 11 }).reduce<unknown>((inner) => ({ inner }), 1);
  return [
    ...common,
    refuse('11 levels', deep),
    refuse('more than 16 KB', { key: 'x'.repeat(16 * 1024) }),
    refuse('NUL in a value', { key: 'a\0b' }),
    refuse('NUL in a key', { 'a\0b': 1 }),
    refuse('NUL deep inside', { key: [{ inner: 'a\0b' }] }),
    refuse('half of a surrogate pair', { key: '\udc00' }),
    refuse('the key __proto__', JSON.parse('{"__proto__": {"admin": true}}'), '/__proto__'),
    refuse('the key constructor', { inner: { constructor: { prototype: {} } } }, '/inner/constructor'),
  ];
}
