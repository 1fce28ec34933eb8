import { type Attribute, COMMON_ATTRIBUTES, type ResourceType } from './attributes.js';

/** An attribute of a resource type. `extension` is the id of the schema if the attribute is part of an extension. */
export interface AttributePath {
  readonly extension?: string;
  readonly attribute: Attribute;
  readonly subAttribute?: Attribute;
}

const sameName = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase();

export const findAttribute = (attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined =>
  attributes?.find((attribute) => sameName(attribute.name, name));

/** Returns the attributes of the resource itself, without extensions. */
export const ownAttributes = (type: ResourceType): readonly Attribute[] => [...COMMON_ATTRIBUTES, ...type.schema.attributes];

/**
 * Returns the attribute that a path names, such as `userName`, `name.givenName` or `urn:…:User:department`, or undefined if the resource
 * type has none. Case is ignored. The name of an attribute of the extension can also stand alone (Entra ID sends `manager`).
 */
export function resolvePath(type: ResourceType, path: string): AttributePath | undefined {
  const { extension } = type;
  const own = resolveNames(ownAttributes(type), withoutPrefix(path, type.schema.id));
  if (own || !extension) return own;
  const found = resolveNames(extension.attributes, withoutPrefix(path, extension.id));
  return found && { extension: extension.id, ...found };
}

function resolveNames(attributes: readonly Attribute[], path: string): AttributePath | undefined {
  const [name = '', subName, ...rest] = path.split('.');
  const attribute = findAttribute(attributes, name);
  if (!attribute || rest.length > 0) return undefined;
  if (subName === undefined) return { attribute };
  const subAttribute = findAttribute(attribute.subAttributes, subName);
  return subAttribute && { attribute, subAttribute };
}

const isPrefix = (prefix: string, path: string): boolean => sameName(path.slice(0, prefix.length + 1), `${prefix}:`);

const withoutPrefix = (path: string, prefix: string): string => (isPrefix(prefix, path) ? path.slice(prefix.length + 1) : path);
