import { type Attribute, RESOURCE_TYPES, type ResourceType, type ScimSchemaName } from '#identity/scim';

type JsonSchema = Record<string, unknown>;

const ref = (name: ScimSchemaName): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const text = (description: string, example?: string): JsonSchema => ({
  type: 'string',
  description,
  ...(example === undefined ? {} : { example }),
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

const SCHEMAS = list({ type: 'string' });

/** Converts an attribute of SCIM to JSON Schema. */
function schemaOf({ type, multiValued, description, mutability, subAttributes }: Attribute): JsonSchema {
  const value: JsonSchema =
    type === 'complex'
      ? object(Object.fromEntries((subAttributes ?? []).map((each) => [each.name, schemaOf(each)])))
      : { type: type === 'boolean' ? 'boolean' : 'string', ...(type === 'dateTime' ? { format: 'date-time' } : {}) };
  const isReadOnly = mutability === 'readOnly' ? { readOnly: true } : {};
  return multiValued ? { ...list(value), description, ...isReadOnly } : { ...value, description, ...isReadOnly };
}

function resourceSchema(type: ResourceType, common: readonly Attribute[]): JsonSchema {
  const { schema, extension } = type;
  const attributes = [...common, ...schema.attributes];
  const properties = Object.fromEntries(attributes.map((attribute) => [attribute.name, schemaOf(attribute)]));
  const extended = extension
    ? { [extension.id]: object(Object.fromEntries(extension.attributes.map((each) => [each.name, schemaOf(each)]))) }
    : {};
  const required = schema.attributes.filter((each) => each.required && each.name !== 'emails').map(({ name }) => name);
  return object({ ...properties, schemas: SCHEMAS, ...extended }, required);
}

const listSchema = (resources: JsonSchema): JsonSchema =>
  object(
    {
      schemas: SCHEMAS,
      totalResults: { type: 'integer', description: 'Number of all results.' },
      itemsPerPage: { type: 'integer', description: 'Number of results in this response.' },
      startIndex: { type: 'integer', description: 'Position of the first result. Absent with a cursor.' },
      nextCursor: text('Cursor of the next page. Absent on the last page.'),
      Resources: list(resources),
    },
    ['schemas', 'totalResults', 'itemsPerPage', 'Resources'],
  );

const DOCUMENT = object({ schemas: SCHEMAS, meta: { type: 'object' } });

const REQUESTS_AND_DOCUMENTS: Record<Exclude<ScimSchemaName, 'User' | 'Group'>, JsonSchema> = {
  UserList: listSchema(ref('User')),
  GroupList: listSchema(ref('Group')),
  ResourceList: listSchema({ oneOf: [ref('User'), ref('Group')] }),
  PatchRequest: object(
    {
      schemas: SCHEMAS,
      Operations: list(
        object(
          {
            op: { type: 'string', enum: ['add', 'remove', 'replace'], description: 'Case is ignored.' },
            path: text('Attribute to change. Without a path, `value` is an object with attributes.', 'active'),
            value: { description: 'The value, in any JSON type.', example: false },
          },
          ['op'],
        ),
      ),
    },
    ['Operations'],
  ),
  SearchRequest: object({
    schemas: SCHEMAS,
    filter: text('Filter (RFC 7644, section 3.4.2.2).', 'userName eq "jane.doe@example.com"'),
    startIndex: { type: 'integer', description: 'Position of the first result, from 1.' },
    count: { type: 'integer', description: 'Maximum number of results.' },
    cursor: text('Cursor of the page (RFC 9865).'),
    attributes: list({ type: 'string' }),
    excludedAttributes: list({ type: 'string' }),
  }),
  BulkRequest: object(
    {
      schemas: SCHEMAS,
      failOnErrors: { type: 'integer', description: 'Number of errors after which the service stops.' },
      Operations: list(
        object(
          {
            method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
            path: text('`/Users`, `/Groups`, or with an id.', '/Users'),
            bulkId: text('Name of a created resource, to which other operations refer as `bulkId:<name>`.', 'jane'),
            version: text('As the header `If-Match`.'),
            data: { type: 'object', description: 'Body of the operation.' },
          },
          ['method', 'path'],
        ),
      ),
    },
    ['Operations'],
  ),
  BulkResponse: object({
    schemas: SCHEMAS,
    Operations: list(
      object({
        method: { type: 'string' },
        bulkId: { type: 'string' },
        location: { type: 'string' },
        version: { type: 'string' },
        status: text('Status of the operation.', '201'),
        response: ref('Error'),
      }),
    ),
  }),
  ServiceProviderConfig: DOCUMENT,
  ResourceType: DOCUMENT,
  ResourceTypeList: listSchema(ref('ResourceType')),
  Schema: DOCUMENT,
  SchemaList: listSchema(ref('Schema')),
  Error: object(
    {
      schemas: SCHEMAS,
      status: text('Status of the response.', '400'),
      scimType: text('Type of the problem, for programs.', 'invalidValue'),
      detail: text('Explanation of the problem, for people.', 'The attribute "userName" is required.'),
    },
    ['schemas', 'status', 'detail'],
  ),
};

/** Returns the schemas of the OpenAPI document of SCIM. */
export function scimSchemas(common: readonly Attribute[]): Record<ScimSchemaName, JsonSchema> {
  const [user, group] = RESOURCE_TYPES.map((type) => resourceSchema(type, common));
  return { User: user!, Group: group!, ...REQUESTS_AND_DOCUMENTS };
}
