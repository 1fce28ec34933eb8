import { readFileSync } from 'node:fs';
import { PATHOLOGICAL_TEXTS } from '../support/pathological-input.js';

/** A text. Bytes that are not valid UTF-8 are a buffer. */
export type HostileText = string | Buffer;

type Lists = 'numbers' | 'escapes' | 'invalid UTF-8' | 'impossible dates' | 'unusual spaces and line feeds' | 'json' | 'repeated';
const VALUES = JSON.parse(readFileSync(new URL('hostile-values.json', import.meta.url), 'utf8')) as Record<Lists, string[]> & {
  headers: Record<string, string[]>;
  pages: string[];
};

const bytes = (hex: string): Buffer => Buffer.concat([Buffer.from('Zo'), Buffer.from(hex, 'hex'), Buffer.from('x')]);

const NUMBERS = [...VALUES.numbers, '9'.repeat(5_000)];

/** Texts for fields, parameters and paths, by kind. */
export const HOSTILE_TEXTS: Readonly<Record<string, readonly HostileText[]>> = {
  escapes: VALUES.escapes,
  'invalid UTF-8': VALUES['invalid UTF-8'].map(bytes),
  'impossible dates': VALUES['impossible dates'],
  'huge numbers': NUMBERS,
  'unusual spaces and line feeds': [
    ...VALUES['unusual spaces and line feeds'],
    '\n'.repeat(100),
    `a${' '.repeat(5_000)}b`,
    `a${'\u2003'.repeat(5_000)}b`,
  ],
  'long repetitions': PATHOLOGICAL_TEXTS,
};

/** JSON values that are no texts, or that JSON.stringify does not write. */
export const HOSTILE_JSON: readonly string[] = [
  ...NUMBERS,
  ...VALUES.json,
  `${'['.repeat(50)}${']'.repeat(50)}`,
  `[${'{},'.repeat(50_000)}{}]`,
  `[${'"a",'.repeat(50_000)}"a"]`,
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
  VALUES.repeated.map((part) => ({ part, isEnclosed })),
);

/** Returns a header field with a start that the parser accepts. */
export function hostileHeader(start: string, { part, isEnclosed }: HeaderEnd): string {
  const repeated = part.repeat(Math.floor(HEADER_BYTES / part.length));
  return isEnclosed ? `${start}a${repeated}!` : `${start}${repeated}`;
}

/** The header fields that the service or its dependencies read, with starts that their parsers accept. */
export const PARSED_HEADERS: Readonly<Record<string, readonly string[]>> = VALUES.headers;

/** Paths outside the OpenAPI documents. */
export const PAGE_PATHS: readonly string[] = VALUES.pages;
