import { applyDecorators } from '@nestjs/common';
import { asciiDomain, jsonPointerToken } from '#platform/common';
import { ApiProperty, getSchemaPath, ApiExtraModels } from '@nestjs/swagger';
import { Transform, Type, type TransformFnParams } from 'class-transformer';
import { IsDefined, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { check, type FieldError } from './check.js';
import { choiceError } from './choice-error.js';
import { composeField, type FieldOptions } from './compose.js';
import { nestedField } from './known-fields.js';
import { findLineError, findTextError, type TextOptions } from './text-fields.js';

export function BooleanField(options: FieldOptions): PropertyDecorator {
  return composeField(options, { type: 'boolean' }, (value) => value, [
    check((value) => (typeof value === 'boolean' ? undefined : { code: 'wrong_type', message: 'must be true or false.' })),
  ]);
}

export function BooleanQuery(options: FieldOptions): PropertyDecorator {
  const converted = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);
  return composeField(options, { type: 'boolean' }, converted, [
    check((value) => (typeof value === 'boolean' ? undefined : { code: 'wrong_type', message: 'must be true or false.' })),
  ]);
}

export interface IntegerOptions extends FieldOptions {
  readonly min: number;
  readonly max: number;
}

const findIntegerError = (value: unknown, { min, max }: IntegerOptions): FieldError | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return { code: 'wrong_type', message: 'must be a whole number.' };
  const isInRange = value >= min && value <= max;
  return isInRange
    ? undefined
    : { code: 'out_of_range', minimum: min, maximum: max, message: `must be between ${min} and ${max}.` };
};

export function IntegerField(options: IntegerOptions): PropertyDecorator {
  return composeField(options, { type: 'integer', minimum: options.min, maximum: options.max }, (value) => value, [
    check((value) => findIntegerError(value, options)),
  ]);
}

export function IntegerQuery(options: IntegerOptions): PropertyDecorator {
  const converted = (value: unknown) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value);
  return composeField(options, { type: 'integer', minimum: options.min, maximum: options.max }, converted, [
    check((value) => findIntegerError(value, options)),
  ]);
}

export interface TextListOptions extends FieldOptions {
  /** Maximum number of items. Default with `choices`: the number of choices. */
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly item: Omit<TextOptions, 'description'>;
  readonly choices?: readonly string[];
}

/** A list of texts, stored without duplicates. As in JSON Schema, duplicates count toward `maxItems`. */
export function TextListField(options: TextListOptions): PropertyDecorator {
  const { item, maxItems, minItems = 0, choices } = options;
  const items = choices
    ? // Passes the array itself, because libraries that load later can add choices to it.
      { type: 'string', enum: choices }
    : {
        type: 'string',
        minLength: item.minLength ?? 1,
        maxLength: item.maxLength,
        ...(item.pattern ? { pattern: item.pattern.source } : {}),
      };
  const convert = (value: unknown): unknown =>
    Array.isArray(value) && value.length <= maxItemsOf(options) ? [...new Set(value)] : value;
  return composeField(options, { type: 'array', items, minItems, maxItems }, convert, [
    check((value) => findTextListError(value, options)),
  ]);
}

/** A query parameter with one or several choices: the parameter several times, or values with commas between them. */
export function ChoiceListQuery(options: FieldOptions & { readonly choices: readonly string[] }): PropertyDecorator {
  const { choices } = options;
  const convert = (value: unknown): unknown => [
    ...new Set([value].flat().flatMap((entry) => (typeof entry === 'string' ? entry.split(',') : [entry]))),
  ];
  const list = { ...options, minItems: 1, item: { maxLength: 100 } };
  return composeField(options, { type: 'array', items: { type: 'string', enum: choices }, minItems: 1 }, convert, [
    check((value) => findTextListError(value, list)),
  ]);
}

/** A list of domain names, in Unicode or in ASCII, converted to ASCII. */
export function DomainListField(options: FieldOptions & { readonly maxItems: number }): PropertyDecorator {
  const { maxItems } = options;
  const items = { type: 'string', minLength: 1, maxLength: 253, format: 'idn-hostname' };
  const convert = (value: unknown): unknown =>
    Array.isArray(value) && value.length <= maxItems ? [...new Set(value.map(domainOf))] : value;
  const findError = (text: string): FieldError | undefined =>
    asciiDomain(text) === undefined
      ? { code: 'invalid_format', message: 'must be domain names such as example.com.' }
      : undefined;
  return composeField(options, { type: 'array', items, minItems: 0, maxItems }, convert, [
    check((value) => findTextListError(value, { ...options, item: { maxLength: 253, findError } })),
  ]);
}

const domainOf = (value: unknown): unknown => (typeof value === 'string' ? (asciiDomain(value.trim()) ?? value) : value);

const maxItemsOf = ({ maxItems, choices }: TextListOptions): number => maxItems ?? choices?.length ?? 0;

function findTextListError(value: unknown, options: TextListOptions): FieldError | undefined {
  const { item, minItems = 0, choices } = options;
  const maxItems = maxItemsOf(options);
  if (!Array.isArray(value)) return { code: 'wrong_type', message: 'must be a list of strings.' };
  if (value.length < minItems)
    return { code: 'too_few', minimum: minItems, message: `must have at least ${minItems} item${minItems === 1 ? '' : 's'}.` };
  if (value.length > maxItems) return { code: 'too_many', maximum: maxItems, message: `must have at most ${maxItems} items.` };
  for (const [index, entry] of value.entries()) {
    const fieldError = findLineError(entry, item);
    if (fieldError) return { ...fieldError, path: `/${index}` };
    if (choices && !choices.includes(entry as string)) return { ...choiceError(entry, choices), path: `/${index}` };
  }
  return undefined;
}

/** Metadata: any JSON object of at most 16 KB, 100 keys and 10 levels. */
export const MetadataField = (options: Omit<FieldOptions, 'required'>): PropertyDecorator => JsonObjectField(options);

export interface JsonObjectOptions extends FieldOptions {
  readonly findError?: (value: object) => FieldError | undefined;
}

/** An object of at most 16 KB, 100 keys and 10 levels. Only `findError` validates the fields. */
export function JsonObjectField(options: JsonObjectOptions): PropertyDecorator {
  return composeField(options, { type: 'object', additionalProperties: true, maxProperties: 100 }, (value) => value, [
    check((value) => findMetadataError(value) ?? options.findError?.(value as object)),
  ]);
}

function findMetadataError(value: unknown): FieldError | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { code: 'wrong_type', message: 'must be an object.' };
  if (Object.keys(value).length > 100) return { code: 'too_many', maximum: 100, message: 'must have at most 100 keys.' };
  const inside = findInsideError(value, 1);
  if (inside) return inside;
  return Buffer.byteLength(JSON.stringify(value)) > 16 * 1024
    ? { code: 'too_large', maximum: 16 * 1024, message: 'must be at most 16 KB of JSON.' }
    : undefined;
}

function findInsideError(value: unknown, level: number): FieldError | undefined {
  if (typeof value === 'string') return value === '' ? undefined : findTextError(value, { maxLength: 16 * 1024 });
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > 10) return { code: 'too_deep', maximum: 10, message: 'must have at most 10 levels.' };
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return { code: 'invalid_key', message: 'must not have a key named __proto__.' };
    const fieldError = findTextError(key, { minLength: 0, maxLength: 256 }) ?? findInsideError(inner, level + 1);
    if (fieldError) return fieldError;
  }
  return undefined;
}

/** An object with arbitrary keys and string values, such as HTTP headers. */
export function TextMapField(
  options: FieldOptions & {
    maxKeys: number;
    /** Documents the values. `findError` validates them. */
    value: { maxLength: number; pattern: RegExp };
    findError: (key: string, value: string) => string | undefined;
  },
): PropertyDecorator {
  const { maxLength, pattern } = options.value;
  return composeField(
    options,
    {
      type: 'object',
      additionalProperties: { type: 'string', maxLength, pattern: pattern.source },
      maxProperties: options.maxKeys,
    },
    (value) => value,
    [
      check((value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          return { code: 'wrong_type', message: 'must be an object of strings.' };
        const entries = Object.entries(value);
        if (entries.length > options.maxKeys)
          return { code: 'too_many', maximum: options.maxKeys, message: `must have at most ${options.maxKeys} keys.` };
        for (const [key, text] of entries) {
          const path = `/${jsonPointerToken(key)}`;
          if (typeof text !== 'string') return { code: 'wrong_type', message: 'must be a string.', path };
          const problem = options.findError(key, text);
          if (problem) return { code: 'invalid_header', message: problem, path };
        }
        return undefined;
      }),
    ],
  );
}

export function ObjectField(type: () => new () => object, options: FieldOptions): PropertyDecorator {
  const { required = false, nullable = false, description } = options;
  return (target, property) => {
    ApiExtraModels(type())(target.constructor);
    const reference = { $ref: getSchemaPath(type()) };
    applyDecorators(
      ApiProperty({
        required,
        description,
        ...(nullable ? { oneOf: [reference, { type: 'null' }] } : { allOf: [reference] }),
      }),
      Type(type),
      Transform(({ value, obj, key }: TransformFnParams) => {
        const raw = (obj as Record<string, unknown>)[key];
        return raw === null ? (nullable ? null : undefined) : value;
      }),
      required ? IsDefined({ message: '$property is required.' }) : IsOptional(),
      ValidateIf((_, value) => value !== null),
      check((value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? undefined
          : { code: 'wrong_type', message: 'must be an object.' },
      )(nestedField({ type })),
      ValidateNested(),
    )(target, property);
  };
}

export function ObjectListField(
  type: () => new () => object,
  options: FieldOptions & { minItems: number; maxItems: number },
): PropertyDecorator {
  const { required = false, description, minItems, maxItems } = options;
  return (target, property) => {
    ApiExtraModels(type())(target.constructor);
    applyDecorators(
      ApiProperty({ required, description, type: 'array', items: { $ref: getSchemaPath(type()) }, minItems, maxItems }),
      Type(type),
      required ? IsDefined({ message: '$property is required.' }) : IsOptional(),
      check((value) => {
        if (!Array.isArray(value) || value.some((item) => typeof item !== 'object' || item === null || Array.isArray(item))) {
          return { code: 'wrong_type', message: 'must be a list of objects.' };
        }
        // The pipe checks the maximum before it converts the items.
        return value.length < minItems
          ? { code: 'too_few', minimum: minItems, message: `must have at least ${minItems} items.` }
          : undefined;
      })(nestedField({ type, maxItems })),
      ValidateNested({ each: true }),
    )(target, property);
  };
}
