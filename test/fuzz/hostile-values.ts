import { PATHOLOGICAL_TEXTS } from '../support/pathological-input.js';

/** A text. Bytes that are not valid UTF-8 are a buffer. */
export type HostileText = string | Buffer;

const bytes = (hex: string): Buffer => Buffer.concat([Buffer.from('Zo'), Buffer.from(hex, 'hex'), Buffer.from('x')]);

const NUMBERS = ['1e400', '-1e400', '1e-400', '9007199254740993', '-9007199254740993', '1546130668394913822', '9'.repeat(5_000)];

/** Texts for fields, parameters and paths, by kind. */
export const HOSTILE_TEXTS: Readonly<Record<string, readonly HostileText[]>> = {
  escapes: ['%', '%zz', '%00', '%ff', '\\', '\\u0000', '\\"', '"', "'", '${a}', '&#0;', '\u0000', '\ud800', 'a"b\\', '~0~1/-'],
  'invalid UTF-8': ['eb', 'c080', 'eda080', 'f8888080', 'f4908080', 'e282', 'ff', 'fe', '80'].map(bytes),
  'impossible dates': [
    '2027-02-31T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-00-10T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T23:59:60Z',
    '2027-01-01T00:00:00+24:00',
    '0000-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '2027-04-31',
  ],
  'huge numbers': NUMBERS,
  'unusual spaces and line feeds': [
    'a\u00a0b',
    '\u3000',
    '\ufeff',
    '\u2028',
    'a\r\nb',
    '\n'.repeat(100),
    '\u202ea',
    'a\u0085b',
    '\u200b',
    '\u001b[31m',
    `a${' '.repeat(5_000)}b`,
    `a${'\u2003'.repeat(5_000)}b`,
  ],
  'long repetitions': PATHOLOGICAL_TEXTS,
};

/** JSON values that are no texts, or that JSON.stringify does not write. */
export const HOSTILE_JSON: readonly string[] = [
  ...NUMBERS,
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"Zo\\u00eb"',
  '"\\x41"',
  '"\\/\\b\\f"',
  '"a\nb"',
  '-0',
  '01',
  'NaN',
  '{"a":1,"a":2}',
  '{"__proto__":1}',
  `${'['.repeat(50)}${']'.repeat(50)}`,
  `[${'{},'.repeat(50_000)}{}]`,
  `[${'"a",'.repeat(50_000)}"a"]`,
];

const REPEATED = [
  ' ',
  '\t',
  ',',
  ';',
  '=',
  '"',
  '\\"',
  '/',
  '-',
  '.',
  'a',
  'a,',
  'a;',
  'a=',
  'a=b;',
  ';q=0',
  ', ,',
  '*/',
  '1.',
  ':',
  '[',
  '%',
  '\u00eb',
];
/** With the other header fields less than 16 KB, the limit of Node.js. */
const HEADER_BYTES = 15_000;

export interface HeaderEnd {
  readonly part: string;
  /** Whether a letter precedes the repetitions, and a character follows that parsers reject. */
  readonly isEnclosed: boolean;
}

/** The repetitions that make parsers of header fields slow. */
export const HEADER_ENDS: readonly HeaderEnd[] = [true, false].flatMap((isEnclosed) =>
  REPEATED.map((part) => ({ part, isEnclosed })),
);

/** Returns a header field with a start that the parser accepts. */
export function hostileHeader(start: string, { part, isEnclosed }: HeaderEnd): string {
  const repeated = part.repeat(Math.floor(HEADER_BYTES / part.length));
  return isEnclosed ? `${start}a${repeated}!` : `${start}${repeated}`;
}

/** The header fields that the service or its dependencies read, with starts that their parsers accept. */
export const PARSED_HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['', 'text/html', 'text/html;q=', 'text/html;a="'],
  'accept-encoding': ['', 'gzip;q=', 'br'],
  'accept-language': ['', 'de-', 'de;q='],
  authorization: ['', 'Bearer ', 'Bearer a.b.', 'Bearer eyJhbGciOiJIUzI1NiJ9.', 'Bearer service_sk_', 'Bearer scim.', 'Basic '],
  'cache-control': ['', 'no-cache,'],
  'content-encoding': ['', 'gzip'],
  'content-type': [
    '',
    'application/json',
    'application/json;',
    'application/json; charset=',
    'application/json; charset="',
    'text/csv;',
  ],
  cookie: ['', 'session=', 'session="', '__Host-session='],
  forwarded: ['', 'for='],
  host: ['', 'localhost:'],
  'idempotency-key': ['', '"'],
  'if-match': ['', 'W/"', '"1"'],
  'if-modified-since': ['', 'Thu, 01 Jan 1970'],
  'if-none-match': ['', 'W/"', '"a",'],
  'if-range': ['', 'W/"'],
  'last-event-id': ['', 'evt_'],
  origin: ['', 'https://'],
  range: ['', 'bytes=', 'bytes=0-'],
  'sec-fetch-site': [''],
  'session-transport': ['', 'cookie'],
  traceparent: ['', '00-'],
  tracestate: ['', 'a='],
  'user-agent': ['', 'Mozilla/5.0 ('],
  'x-forwarded-for': ['', '10.0.0.1', '10.0.0.1:', '[::1]:'],
  'x-forwarded-host': ['', 'localhost:'],
  'x-forwarded-proto': ['', 'https,'],
  'x-request-id': ['', 'req_'],
};
