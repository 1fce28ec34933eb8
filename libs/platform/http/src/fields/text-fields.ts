import { isEmail } from 'class-validator';
import {
  asciiAddress,
  canonicalLocale,
  isPlainDomain,
  isSafeLine,
  isSafeText,
  isVisible,
  MAX_LOCALE_LENGTH,
  parseTime,
  webUri,
} from '#platform/common';
import { check, type FieldError } from './check.js';
import { choiceError } from './choice-error.js';
import { composeField, type FieldOptions } from './compose.js';

export interface TextOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength: number;
  readonly pattern?: RegExp;
  /** The message for a text that does not match the pattern: "must …". */
  readonly patternMessage?: string;
  readonly format?: string;
  /** Returns the problem of a text that violates an additional rule. */
  readonly findError?: (value: string) => FieldError | undefined;
}

/** Returns the problem of a text. Lengths are numbers of Unicode characters, as in JSON Schema. */
export function findTextError(value: unknown, options: Omit<TextOptions, 'description'>): FieldError | undefined {
  const { minLength = 1, maxLength, pattern, patternMessage, findError } = options;
  if (typeof value !== 'string') return { code: 'wrong_type', message: 'must be a string.' };
  if (value.includes('\0') || !value.isWellFormed())
    return { code: 'invalid_text', message: 'must be valid Unicode text without NUL characters.' };
  if (isLonger(value, maxLength))
    return { code: 'too_long', maximum: maxLength, message: `must have at most ${maxLength} characters.` };
  if (charactersOf(value) < minLength)
    return minLength === 1
      ? { code: 'too_short', message: 'must not be empty.' }
      : { code: 'too_short', minimum: minLength, message: `must have at least ${minLength} characters.` };
  if (pattern && !pattern.test(value))
    return { code: 'invalid_format', message: patternMessage ?? `must match ${pattern.source}.` };
  return findError?.(value);
}

/** Returns the number of Unicode characters of a well-formed text: the number of code units minus the number of surrogate pairs. */
const charactersOf = (text: string): number => text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0);

/**
 * Returns whether a text has more than this number of characters. Does not count the characters of a text with more than twice as many code
 * units.
 */
const isLonger = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || charactersOf(text) > characters);

/** Normalizes and trims a text. Does not change a text that is too long, so that validation rejects the text. */
const trimmed = (maxLength: number) => (value: unknown) =>
  typeof value === 'string' && !isLonger(value, maxLength) ? value.normalize('NFC').trim() : value;

const uri = (maxLength: number) => (value: unknown) => {
  const text = trimmed(maxLength)(value);
  return typeof text === 'string' && !isLonger(text, maxLength) ? (webUri(text) ?? text) : text;
};

/** Matches a text with at least one non-whitespace character. */
const NOT_BLANK = /\S/;

export interface LineOptions extends TextOptions {
  /** Whether the text can have several lines, as descriptions and reasons do. Names are one line. */
  readonly multiline?: boolean;
}

/** Returns the problem of a text that people read: a name, or with `multiline` a description. */
export function findLineError(value: unknown, options: Omit<LineOptions, 'description'>): FieldError | undefined {
  const fieldError = findTextError(value, options);
  if (fieldError) return fieldError;
  const { minLength = 1, multiline = false } = options;
  const text = value as string;
  if (!(multiline ? isSafeText(text) : isSafeLine(text)))
    return {
      code: 'invalid_text',
      message: `must not contain control characters${multiline ? ' other than line breaks and tabs' : ' or line breaks'}, or characters that change the direction of text.`,
    };
  return minLength > 0 && !isVisible(text) ? { code: 'too_short', message: 'must have a visible character.' } : undefined;
}

/** A trimmed and normalized (NFC) text. Converts texts with the format `uri` to URIs. Rejects what `findLineError` finds. */
export function TextField(options: LineOptions): PropertyDecorator {
  const { minLength = 1, maxLength, format } = options;
  const pattern = options.pattern ?? (minLength > 0 ? NOT_BLANK : undefined);
  const schema = {
    type: 'string',
    minLength,
    maxLength,
    ...(pattern ? { pattern: pattern.source } : {}),
    ...(format ? { format } : {}),
  };
  const convert = format === 'uri' ? uri(maxLength) : trimmed(maxLength);
  // The pattern of a URI, or the service that reads the URI, rejects what is no URI.
  const findError = format === 'uri' ? findTextError : findLineError;
  return composeField(options, schema, convert, [check((value) => findError(value, options))]);
}

/** A text without trimming and normalization, such as a secret or a cursor. */
export function ExactTextField(options: TextOptions): PropertyDecorator {
  const { minLength = 1, maxLength, pattern } = options;
  const schema = { type: 'string', minLength, maxLength, ...(pattern ? { pattern: pattern.source } : {}) };
  return composeField(options, schema, (value) => value, [check((value) => findTextError(value, options))]);
}

/**
 * Returns whether a text is an email address. The domain can be in Unicode. In ASCII, the address is stricter than RFC 5321 (dot-atom, ASCII, a
 * domain), so that all mail libraries parse it in the same way.
 */
export function isMailAddress(value: string): boolean {
  if (value.length > 254 || !isPlainDomain(value.slice(value.lastIndexOf('@') + 1))) return false;
  const address = asciiAddress(value);
  return address.length <= 254 && isEmail(address, { allow_utf8_local_part: false }) && !/["\\(),:;<>[\]]/.test(address);
}

export function EmailField(options: FieldOptions): PropertyDecorator {
  return composeField(options, { type: 'string', format: 'email', maxLength: 254 }, trimmed(254), [
    check((value) => {
      const fieldError = findTextError(value, { maxLength: 254 });
      if (fieldError) return fieldError;
      const address = value as string;
      if (isMailAddress(address)) return undefined;
      const hasLocalPart = /^[\x21-\x7e]+@/.test(address) || !address.includes('@');
      const problem = hasLocalPart
        ? 'be an email address such as jane.doe@example.com'
        : 'have only ASCII characters before the "@"';
      return { code: 'invalid_email', message: `must ${problem}.` };
    }),
  ]);
}

/** An absolute http or https URL, for logos and pictures. The network policy applies to requests for logos. */
export function WebAddressField(options: FieldOptions): PropertyDecorator {
  return composeField(options, { type: 'string', format: 'uri', maxLength: 2048 }, uri(2048), [
    check((value) => {
      const fieldError = findTextError(value, { maxLength: 2048 });
      if (fieldError) return fieldError;
      return webUri(value as string) === undefined
        ? { code: 'invalid_url', message: 'must be an absolute http or https URL without whitespace.' }
        : undefined;
    }),
  ]);
}

/** Matches groups of letters and digits. `canonicalLocale` decides whether the groups form a language tag. */
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** A BCP 47 language tag, converted to its canonical form. */
export function LocaleField(options: FieldOptions): PropertyDecorator {
  const schema = { type: 'string', minLength: 2, maxLength: MAX_LOCALE_LENGTH, pattern: LANGUAGE_TAG.source };
  const convert = (value: unknown): unknown => (typeof value === 'string' ? (canonicalLocale(value) ?? value) : value);
  return composeField(options, schema, convert, [
    check((value) => {
      const fieldError = findTextError(value, { minLength: 2, maxLength: MAX_LOCALE_LENGTH });
      if (fieldError) return fieldError;
      return canonicalLocale(value as string) === undefined
        ? { code: 'invalid_locale', message: 'must be a BCP 47 language tag such as de or pt-BR.' }
        : undefined;
    }),
  ]);
}

/** A text that must be one of the `choices`. */
export function ChoiceField(options: FieldOptions & { readonly choices: readonly string[] }): PropertyDecorator {
  const { choices } = options;
  // Not copied, because libraries that are loaded later can add choices.
  return composeField(options, { type: 'string', enum: choices }, (value) => value, [
    check((value) => (typeof value === 'string' && choices.includes(value) ? undefined : choiceError(value, choices))),
  ]);
}

const INVALID_TIME: FieldError = {
  code: 'invalid_time',
  message: 'must be a time that exists, with an offset (RFC 3339), such as 2026-01-31T12:00:00.000Z.',
};

/** A time in the format of RFC 3339, converted to a `Date`. */
export function MomentField(options: FieldOptions): PropertyDecorator {
  const convert = (value: unknown): unknown => (typeof value === 'string' ? (parseTime(value) ?? value) : value);
  return composeField(options, { type: 'string', format: 'date-time' }, convert, [
    check((value) => (value instanceof Date ? undefined : INVALID_TIME)),
  ]);
}
