import type { Attribute, ResourceType, Schema } from './attributes.js';
import { type AttributePath, resolvePath } from './attribute-path.js';
import { parsePath } from './filter.js';
import { assertFewValues, isObject, namedValues, readValue, type ScimObject } from './resource.js';
import { ScimRequestInvalid } from './scim-errors.js';
import { readValueFilter, type ValueFilter } from './value-filter.js';

const MAX_OPERATIONS = 1_000;
/** Maximum number of conditions in the paths of a request, because each is compared with all values of an attribute. */
const MAX_CONDITIONS = 1_000;
/** Maximum number of operations that compare all members of a group, which has many. Directories name the member by `value`. */
const MAX_MEMBER_SEARCHES = 10;

/** An operation on one attribute. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly target: AttributePath;
  /** The path as text, for messages. */
  readonly path: string;
  /** The filter in brackets, for example `type eq "work"`. */
  readonly filter?: ValueFilter;
  readonly value: unknown;
}

/**
 * Reads the operations of a PATCH request (RFC 7644, section 3.5.2) in the dialects of Okta and Entra ID: operations in any case, values
 * without a path whose names are paths, booleans as text. An operation without a path becomes one operation for each attribute.
 * @throws ScimRequestInvalid (400)
 */
export function readPatch(type: ResourceType, body: unknown): PatchOperation[] {
  const list = isObject(body) ? namedValues(body).find(([name]) => name.toLowerCase() === 'operations')?.[1] : undefined;
  if (!Array.isArray(list) || list.length === 0)
    throw new ScimRequestInvalid('invalidSyntax', 'The body must have "Operations", a list with at least one operation.');
  if (list.length > MAX_OPERATIONS) throw tooManyOperations();
  const operations = list.flatMap((operation) => readOperation(type, operation));
  if (operations.length > MAX_OPERATIONS) throw tooManyOperations();
  if (operations.reduce((sum, { filter }) => sum + (filter?.size ?? 0), 0) > MAX_CONDITIONS)
    throw new ScimRequestInvalid('invalidPath', `The paths of a request can have at most ${MAX_CONDITIONS} conditions.`);
  if (operations.filter(comparesMembers).length > MAX_MEMBER_SEARCHES)
    throw new ScimRequestInvalid(
      'invalidPath',
      `A request can have at most ${MAX_MEMBER_SEARCHES} filters of members that don't name a member by "value".`,
    );
  return operations;
}

const comparesMembers = ({ target, filter }: PatchOperation): boolean =>
  target.attribute.name === 'members' && filter !== undefined && filter.described?.['value'] === undefined;

const tooManyOperations = (): ScimRequestInvalid =>
  new ScimRequestInvalid('invalidSyntax', `A request can change at most ${MAX_OPERATIONS} attributes and values.`);

function readOperation(type: ResourceType, operation: unknown): PatchOperation[] {
  if (!isObject(operation)) throw new ScimRequestInvalid('invalidSyntax', 'Each operation must be an object.');
  const { op: name, path, value } = operation;
  const op = typeof name === 'string' ? name.toLowerCase() : '';
  if (op !== 'add' && op !== 'remove' && op !== 'replace')
    throw new ScimRequestInvalid('invalidSyntax', '"op" must be "add", "remove" or "replace".');
  if (type.extension && typeof path === 'string' && path.toLowerCase() === type.extension.id.toLowerCase())
    return readExtension(type, type.extension, op, value);
  if (typeof path === 'string' && path !== '') return [readPath(type, op, path, value)];
  if (path !== undefined && path !== null && path !== '') throw new ScimRequestInvalid('invalidPath', '"path" must be a string.');
  if (op === 'remove') throw new ScimRequestInvalid('noTarget', 'The operation "remove" needs a "path".');
  if (!isObject(value)) throw new ScimRequestInvalid('invalidValue', 'An operation without "path" needs an object as "value".');
  return namedValues(value).flatMap(([key, inner]) => readNamedValue(type, op, key, inner));
}

/** Reads an attribute of a value without a path. Ignores unknown and read-only attributes, as in PUT. */
function readNamedValue(type: ResourceType, op: 'add' | 'replace', key: string, value: unknown): PatchOperation[] {
  const { extension } = type;
  if (extension && key.toLowerCase() === extension.id.toLowerCase()) return readExtension(type, extension, op, value);
  const target = key.includes('[') ? undefined : resolvePath(type, key);
  if (key.includes('[')) return [readPath(type, op, key, value)];
  return target && isWritable(target) ? [{ op, target, path: key, value }] : [];
}

/** Reads an operation on all attributes of an extension. */
function readExtension(
  type: ResourceType,
  { id, attributes }: Schema,
  op: PatchOperation['op'],
  value: unknown,
): PatchOperation[] {
  if (op === 'remove') return attributes.map(({ name }) => readPath(type, op, `${id}:${name}`, undefined));
  if (!isObject(value)) throw new ScimRequestInvalid('invalidValue', `"${id}" must be an object.`);
  return namedValues(value).flatMap(([name, inner]) => readNamedValue(type, op, `${id}:${name}`, inner));
}

function readPath(type: ResourceType, op: PatchOperation['op'], path: string, value: unknown): PatchOperation {
  const { attrPath, filter } = parsePath(path);
  const target = resolvePath(type, attrPath);
  if (!target) throw new ScimRequestInvalid('invalidPath', `The ${type.name} has no attribute "${path.slice(0, 200)}".`);
  if (!isWritable(target)) throw new ScimRequestInvalid('mutability', `The attribute "${path.slice(0, 200)}" is read-only.`);
  if (!filter) return { op, target, path, value };
  if (!target.attribute.multiValued)
    throw new ScimRequestInvalid(
      'invalidPath',
      `The attribute "${attrPath.slice(0, 200)}" has one value, so its path has no filter.`,
    );
  return { op, target, path, value, filter: readValueFilter(target.attribute, filter) };
}

const isWritable = ({ attribute, subAttribute }: AttributePath): boolean =>
  attribute.mutability !== 'readOnly' && subAttribute?.mutability !== 'readOnly';

/** Returns the resource after the operations. @throws ScimRequestInvalid (400) */
export function applyPatch(resource: ScimObject, operations: readonly PatchOperation[]): ScimObject {
  const changed = structuredClone(resource);
  for (const operation of operations) applyOperation(changed, operation);
  return changed;
}

function applyOperation(resource: ScimObject, operation: PatchOperation): void {
  const { extension, attribute } = operation.target;
  const container = extension === undefined ? resource : ((resource[extension] ??= {}) as ScimObject);
  const next = attribute.multiValued
    ? patchedList(operation, (container[attribute.name] ?? []) as ScimObject[])
    : patchedSingle(operation, container[attribute.name]);
  // After each operation, because the next one compares its values with all of them.
  if (Array.isArray(next)) assertFewValues(next, operation.path);
  const isEmpty =
    next === undefined || (Array.isArray(next) && next.length === 0) || (isObject(next) && Object.keys(next).length === 0);
  if (isEmpty) delete container[attribute.name];
  else container[attribute.name] = next;
  if (extension !== undefined && Object.keys(container).length === 0) delete resource[extension];
}

function patchedSingle({ op, target: { attribute, subAttribute }, path, value }: PatchOperation, current: unknown): unknown {
  if (subAttribute) {
    const { [subAttribute.name]: _, ...others } = isObject(current) ? current : {};
    const next = op === 'remove' ? undefined : readValue(subAttribute, value, path);
    return next === undefined ? others : { ...others, [subAttribute.name]: next };
  }
  if (op === 'remove') return undefined;
  const next = readValue(attribute, value, path);
  // Sub-attributes that the operation does not name stay unchanged.
  return attribute.type === 'complex' && isObject(current) && isObject(next) ? { ...current, ...next } : next;
}

function patchedList(operation: PatchOperation, current: readonly ScimObject[]): ScimObject[] {
  const { op, target, path, value, filter } = operation;
  const { attribute, subAttribute } = target;
  if (filter) return patchedMatches(operation, filter, current);
  if (subAttribute) return current.map((item) => withSubValue(item, subAttribute, op, value, path));
  if (op === 'remove') {
    const removed = (readValue(attribute, value, path) ?? undefined) as ScimObject[] | undefined;
    return removed ? current.filter((item) => !removed.some((other) => other['value'] === item['value'])) : [];
  }
  const added = (readValue(attribute, value, path) ?? []) as ScimObject[];
  return op === 'replace' ? added : withAdded(current, added);
}

function patchedMatches(
  { op, target: { attribute, subAttribute }, path, value }: PatchOperation,
  filter: ValueFilter,
  current: readonly ScimObject[],
): ScimObject[] {
  const matches = new Set(current.filter(filter.matches));
  if (op === 'remove') {
    if (!subAttribute) return current.filter((item) => !matches.has(item));
    return current.map((item) => (matches.has(item) ? withSubValue(item, subAttribute, op, value, path) : item));
  }
  const change = (item: ScimObject): ScimObject =>
    subAttribute ? withSubValue(item, subAttribute, op, value, path) : { ...item, ...singleValue(attribute, value, path) };
  if (matches.size > 0) {
    const changed = current.map((item) => (matches.has(item) ? change(item) : item));
    return onePrimary(changed, (_item, index) => matches.has(current[index]!));
  }
  // Entra ID sets values that don't exist yet with a filter, for example `emails[type eq "work"].value`.
  if (!filter.described) throw new ScimRequestInvalid('noTarget', `No value matches "${path.slice(0, 200)}".`);
  const created = readValue(attribute, filter.described, path) as ScimObject[] | undefined;
  return withAdded(current, [change(created?.[0] ?? {})]);
}

const singleValue = (attribute: Attribute, value: unknown, path: string): ScimObject =>
  (readValue(attribute, value, path) as ScimObject[] | undefined)?.[0] ?? {};

function withSubValue(item: ScimObject, subAttribute: Attribute, op: string, value: unknown, path: string): ScimObject {
  const { [subAttribute.name]: _, ...others } = item;
  const next = op === 'remove' ? undefined : readValue(subAttribute, value, path);
  return next === undefined ? others : { ...others, [subAttribute.name]: next };
}

/** Adds values that the list does not have yet. A new primary value replaces the previous one. */
function withAdded(current: readonly ScimObject[], added: readonly ScimObject[]): ScimObject[] {
  const isSame = (first: ScimObject, second: ScimObject): boolean =>
    first['value'] !== undefined && first['value'] === second['value'] && first['type'] === second['type'];
  const kept = current.filter((item) => !added.some((other) => isSame(item, other)));
  return onePrimary([...kept, ...added], (item) => added.includes(item));
}

function onePrimary(items: readonly ScimObject[], isNew: (item: ScimObject, index: number) => boolean): ScimObject[] {
  if (!items.some((item, index) => item['primary'] === true && isNew(item, index))) return [...items];
  return items.map((item, index) => (item['primary'] === true && !isNew(item, index) ? { ...item, primary: false } : item));
}
