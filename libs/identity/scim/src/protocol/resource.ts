import { isSafeLine, isSafeText } from '#platform/common';
import { type Attribute, type ResourceType } from './attributes.js';
import { findAttribute, ownAttributes } from './attribute-path.js';
import { USER_TYPE } from './schemas.js';
import { ScimRequestInvalid } from './scim-errors.js';

/** A JSON object with canonical names: a resource, or a value of a complex attribute. */
export type ScimObject = Record<string, unknown>;

const MAX_TEXT_LENGTH = 4_000;
/** Maximum number of values of an attribute other than `members`. */
const MAX_VALUES = 100;
/** Maximum size of the stored attributes of a resource. */
const MAX_RESOURCE_BYTES = 64 * 1024;

/** The attributes whose text can have several lines: addresses. */
const MULTILINE: ReadonlySet<Attribute> = new Set(findAttribute(USER_TYPE.schema.attributes, 'addresses')?.subAttributes);

export const isObject = (value: unknown): value is ScimObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the names and values of an object. The case of names does not matter (RFC 7643, section 2.1).
 * @throws ScimRequestInvalid (400, invalidSyntax) when two names differ only in case, because only one of their values can be stored
 */
export function namedValues(value: ScimObject): [name: string, value: unknown][] {
  const entries = Object.entries(value);
  const names = new Set<string>();
  for (const [name] of entries) {
    const lowered = name.toLowerCase();
    if (names.has(lowered))
      throw new ScimRequestInvalid(
        'invalidSyntax',
        `The name "${name.slice(0, 200)}" appears twice. The case of names does not matter.`,
      );
    names.add(lowered);
  }
  return entries;
}

/**
 * Returns the attributes of a request that the client can set, with canonical names. Ignores attributes that the schemas lack and read-only
 * attributes, which identity providers send back. Accepts booleans as text (Entra ID). `null` and empty lists mean no value.
 * @throws ScimRequestInvalid (400, invalidSyntax, invalidValue)
 */
export function readResource(type: ResourceType, body: unknown): ScimObject {
  if (!isObject(body)) throw new ScimRequestInvalid('invalidSyntax', 'The body must be a JSON object.');
  const resource = readAttributes(ownAttributes(type), body, '');
  const { extension } = type;
  if (extension) {
    const key = Object.keys(body).find((name) => name.toLowerCase() === extension.id.toLowerCase());
    if (key !== undefined && body[key] !== null) {
      if (!isObject(body[key])) throw invalidType(extension.id, 'an object');
      const values = readAttributes(extension.attributes, body[key], `${extension.id}:`);
      if (Object.keys(values).length > 0) resource[extension.id] = values;
    }
  }
  return resource;
}

/** @throws ScimRequestInvalid (400, invalidValue) when a required attribute is missing or the resource is too large */
export function assertComplete(type: ResourceType, resource: ScimObject): void {
  for (const { name, required } of type.schema.attributes)
    // The address of a user can also be the user name.
    if (required && name !== 'emails' && resource[name] === undefined)
      throw new ScimRequestInvalid('invalidValue', `The attribute "${name}" is required.`);
  if (Buffer.byteLength(JSON.stringify({ ...resource, members: undefined })) > MAX_RESOURCE_BYTES)
    throw new ScimRequestInvalid(
      'invalidValue',
      `The attributes of the resource are larger than ${MAX_RESOURCE_BYTES / 1024} KB.`,
    );
}

function readAttributes(attributes: readonly Attribute[], body: ScimObject, prefix: string): ScimObject {
  const values: ScimObject = {};
  for (const [name, value] of namedValues(body)) {
    const attribute = findAttribute(attributes, name);
    if (!attribute || attribute.mutability === 'readOnly') continue;
    const read = readValue(attribute, value, `${prefix}${attribute.name}`);
    if (read !== undefined) values[attribute.name] = read;
  }
  return values;
}

/**
 * Returns the value of an attribute in canonical form, or undefined for no value.
 * @throws ScimRequestInvalid (400, invalidValue) when the value has another type
 */
export function readValue(attribute: Attribute, value: unknown, path: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readSingle(attribute, value, path);
  const list = Array.isArray(value) ? value : [value];
  if (attribute.name !== 'members') assertFewValues(list, path);
  const values = list.map((item) => readSingle(attribute, item, path)).filter((item) => item !== undefined);
  if (values.filter((item) => isObject(item) && item['primary'] === true).length > 1)
    throw new ScimRequestInvalid('invalidValue', `The attribute "${path}" has more than one primary value.`);
  return values.length === 0 ? undefined : values;
}

/** @throws ScimRequestInvalid (400, invalidValue) when an attribute has too many values */
export function assertFewValues(values: readonly unknown[], path: string): void {
  if (values.length > MAX_VALUES)
    throw new ScimRequestInvalid('invalidValue', `The attribute "${path.slice(0, 200)}" has more than ${MAX_VALUES} values.`);
}

/** Returns a boolean, also from text in any case (Entra ID sends "True"), or undefined for other values. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}

function readSingle(attribute: Attribute, value: unknown, path: string): unknown {
  if (attribute.type === 'complex') {
    // Entra ID sends the manager also as a list with one value.
    if (Array.isArray(value) && value.length === 1 && !attribute.multiValued) return readSingle(attribute, value[0], path);
    if (isObject(value)) {
      const values = readAttributes(attribute.subAttributes ?? [], value, `${path}.`);
      return Object.keys(values).length === 0 ? undefined : values;
    }
    const main = findAttribute(attribute.subAttributes, 'value');
    if (!main || typeof value !== 'string') throw invalidType(path, 'an object');
    // Entra ID sends the manager as a text, and some clients send lists of texts.
    return value === '' ? undefined : { value: readSingle(main, value, path) };
  }
  if (attribute.type === 'boolean') {
    const flag = booleanOf(value);
    if (flag === undefined) throw invalidType(path, 'true or false');
    return flag;
  }
  if (typeof value !== 'string') throw invalidType(path, 'a string');
  if (value.length > MAX_TEXT_LENGTH)
    throw new ScimRequestInvalid('invalidValue', `The attribute "${path}" is longer than ${MAX_TEXT_LENGTH} characters.`);
  if (!(MULTILINE.has(attribute) ? isSafeText(value) : isSafeLine(value)))
    throw new ScimRequestInvalid(
      'invalidValue',
      `The attribute "${path}" must be one line of valid Unicode text without control characters and characters that change the direction of text.`,
    );
  return value === '' ? undefined : value;
}

const invalidType = (path: string, expected: string): ScimRequestInvalid =>
  new ScimRequestInvalid('invalidValue', `The attribute "${path}" must be ${expected}.`);
