import type { ResourceType } from './attributes.js';
import { type AttributePath, resolvePath } from './attribute-path.js';
import { isObject, type ScimObject } from './resource.js';
import { ScimRequestInvalid } from './scim-errors.js';

/** The attributes that a response has (RFC 7644, section 3.9). Without lists, all attributes. */
export interface Projection {
  readonly attributes?: readonly AttributePath[];
  readonly excluded: readonly AttributePath[];
}

const MAX_ATTRIBUTES = 100;

/** Reads `attributes` and `excludedAttributes`. Ignores names that the resource type lacks. @throws ScimRequestInvalid (400) */
export function readProjection(
  types: readonly ResourceType[],
  attributes: readonly string[],
  excluded: readonly string[],
): Projection {
  if (attributes.length + excluded.length > MAX_ATTRIBUTES)
    throw new ScimRequestInvalid('invalidValue', `A request can name at most ${MAX_ATTRIBUTES} attributes.`);
  const resolve = (names: readonly string[]) =>
    names.flatMap((name) => types.flatMap((type) => resolvePath(type, name) ?? extensionPaths(type, name)));
  return { ...(attributes.length > 0 ? { attributes: resolve(attributes) } : {}), excluded: resolve(excluded) };
}

/** The id of an extension names all its attributes. */
function extensionPaths({ extension }: ResourceType, name: string): AttributePath[] {
  if (!extension || name.toLowerCase() !== extension.id.toLowerCase()) return [];
  return extension.attributes.map((attribute) => ({ extension: extension.id, attribute }));
}

/** Returns whether a response contains an attribute. */
export function isReturned({ attributes, excluded }: Projection, name: string): boolean {
  if (attributes) return attributes.some((path) => path.attribute.name === name);
  return !excluded.some((path) => path.attribute.name === name && !path.subAttribute);
}

/** Returns the resource with the attributes of the projection. `schemas` and `id` are always returned. */
export function project(resource: ScimObject, { attributes, excluded }: Projection): ScimObject {
  if (attributes) {
    const { schemas, id } = resource;
    const projected: ScimObject = { schemas, id };
    for (const path of attributes) copyPath(resource, projected, path);
    return projected;
  }
  if (excluded.length === 0) return resource;
  const projected = structuredClone(resource);
  for (const path of excluded) deletePath(projected, path);
  return projected;
}

function copyPath(from: ScimObject, to: ScimObject, { extension, attribute, subAttribute }: AttributePath): void {
  const source = extension === undefined ? from : from[extension];
  if (!isObject(source) || source[attribute.name] === undefined) return;
  const target = extension === undefined ? to : ((to[extension] ??= {}) as ScimObject);
  const value = source[attribute.name];
  if (!subAttribute) {
    target[attribute.name] = value;
    return;
  }
  const part = (item: unknown): ScimObject =>
    isObject(item) && subAttribute.name in item ? { [subAttribute.name]: item[subAttribute.name] } : {};
  const previous = target[attribute.name];
  target[attribute.name] = Array.isArray(value)
    ? value.map((item, index) => ({ ...(previous as ScimObject[] | undefined)?.[index], ...part(item) }))
    : { ...(isObject(previous) ? previous : {}), ...part(value) };
}

function deletePath(resource: ScimObject, { extension, attribute, subAttribute }: AttributePath): void {
  // Attributes that are always returned can't be excluded.
  if (attribute.returned === 'always') return;
  const container = extension === undefined ? resource : resource[extension];
  if (!isObject(container)) return;
  if (!subAttribute) {
    delete container[attribute.name];
    if (extension !== undefined && Object.keys(container).length === 0) delete resource[extension];
    return;
  }
  const value = container[attribute.name];
  for (const item of Array.isArray(value) ? value : [value]) if (isObject(item)) delete item[subAttribute.name];
}
