/** An attribute of a schema, in the form of RFC 7643, section 7. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable';
  readonly returned: 'always' | 'default';
  readonly caseExact?: boolean;
  readonly uniqueness?: 'none' | 'server';
  readonly referenceTypes?: readonly string[];
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A schema of a resource. Attributes of extensions are in an object with the id of the extension. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A type of resources with its schemas. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: string;
  readonly schema: Schema;
  readonly extension?: Schema;
}

type Options = Partial<Omit<Attribute, 'name' | 'type' | 'description' | 'subAttributes'>>;

const DEFAULTS = { multiValued: false, required: false, mutability: 'readWrite', returned: 'default' } as const;

export function text(name: string, description: string, options: Options = {}): Attribute {
  return { name, type: 'string', description, ...DEFAULTS, caseExact: false, uniqueness: 'none', ...options };
}

export function flag(name: string, description: string, options: Options = {}): Attribute {
  return { name, type: 'boolean', description, ...DEFAULTS, ...options };
}

export function reference(
  name: string,
  description: string,
  referenceTypes: readonly string[],
  options: Options = {},
): Attribute {
  return { name, type: 'reference', description, ...DEFAULTS, caseExact: true, uniqueness: 'none', referenceTypes, ...options };
}

function dateTime(name: string, description: string): Attribute {
  return { name, type: 'dateTime', description, ...DEFAULTS, mutability: 'readOnly' };
}

export function complex(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  options: Options = {},
): Attribute {
  return { name, type: 'complex', description, ...DEFAULTS, ...options, subAttributes };
}

/** Returns an attribute with several values that have a type, a label and a primary value, such as email addresses. */
export function valueList(name: string, description: string, value: Attribute, options: Options = {}): Attribute {
  return complex(
    name,
    description,
    [
      value,
      text('display', 'Name of the value for people.'),
      text('type', 'Label of the value, for example "work" or "home".'),
      flag('primary', 'Whether this is the preferred value. At most one value is.'),
    ],
    { multiValued: true, ...options },
  );
}

/** Attributes that all resources have besides the attributes of their schemas. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  text('schemas', 'Schemas of the resource.', { multiValued: true, mutability: 'readOnly', returned: 'always' }),
  text('id', 'Id of the resource, which the service assigns.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  text('externalId', 'Id of the resource in the system of the client.', { caseExact: true }),
  complex(
    'meta',
    'Information about the resource.',
    [
      text('resourceType', 'Type of the resource.', { caseExact: true, mutability: 'readOnly' }),
      dateTime('created', 'Time of the creation.'),
      dateTime('lastModified', 'Time of the last change.'),
      text('location', 'URL of the resource.', { caseExact: true, mutability: 'readOnly' }),
      text('version', 'Version of the resource, which is also its ETag.', { caseExact: true, mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
];
