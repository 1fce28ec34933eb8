import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { SCIM_MEDIA_TYPE } from '#platform/http';

/** The schemas in the OpenAPI document of SCIM (`scim-schemas.ts`). */
export type ScimSchemaName =
  | 'User'
  | 'Group'
  | 'UserList'
  | 'GroupList'
  | 'ResourceList'
  | 'PatchRequest'
  | 'SearchRequest'
  | 'BulkRequest'
  | 'BulkResponse'
  | 'ServiceProviderConfig'
  | 'ResourceType'
  | 'ResourceTypeList'
  | 'Schema'
  | 'SchemaList'
  | 'Error';

interface ScimOperation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: ScimSchemaName;
  readonly status?: 200 | 201 | 204;
  readonly response?: ScimSchemaName;
  readonly errors?: readonly (400 | 404 | 409 | 412 | 413)[];
  /** Whether the operation is a list, with its parameters. */
  readonly isList?: boolean;
  /** Whether the operation reads `If-Match`. */
  readonly isVersioned?: boolean;
  /** Whether the operation reads `attributes` and `excludedAttributes`. */
  readonly isProjected?: boolean;
}

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is invalid. `scimType` names the problem.',
  401: 'The token is missing, unknown, revoked or expired, or belongs to another connection.',
  403: 'The organization is suspended, or the user has permissions outside the organization.',
  404: 'The resource does not exist, or this connection does not manage it.',
  409: 'A value must be unique (`scimType` is `uniqueness`), or the organization would lose its last owner.',
  412: 'The resource has changed since the version in `If-Match`.',
  413: 'The request is too large.',
  429: 'Too many requests. Retry after the time in `Retry-After`.',
  503: 'The service is overloaded. Retry after the time in `Retry-After`.',
};

const schemaPath = (name: ScimSchemaName): string => `#/components/schemas/${name}`;
const contentOf = (name: ScimSchemaName) => ({ [SCIM_MEDIA_TYPE]: { schema: { $ref: schemaPath(name) } } });

/** Documents an operation of SCIM in its own OpenAPI document. */
export function ApiScim(operation: ScimOperation): MethodDecorator {
  const { id, summary, description, body, status = 200, response, errors = [] } = operation;
  const statuses = [...errors, 401, 403, 429, 503];
  return applyDecorators(
    ApiOperation({ operationId: id, summary, ...(description === undefined ? {} : { description }) }),
    ...(body ? [ApiConsumes(SCIM_MEDIA_TYPE), ApiBody({ required: true, schema: { $ref: schemaPath(body) } })] : []),
    ApiResponse({
      status,
      description: response ? 'Success.' : 'Success, without a body.',
      ...(response ? { content: contentOf(response) } : {}),
    }),
    ...statuses.map((each) => ApiResponse({ status: each, description: ERRORS[each] ?? '', content: contentOf('Error') })),
    ...(operation.isList ? LIST_PARAMETERS : []),
    ...(operation.isList || operation.isProjected ? PROJECTION_PARAMETERS : []),
    ...(operation.isVersioned ? [IF_MATCH] : []),
  );
}

const text = (name: string, description: string, example: string) =>
  ApiQuery({ name, required: false, description, schema: { type: 'string', example } });
const integer = (name: string, description: string, example: number) =>
  ApiQuery({ name, required: false, description, schema: { type: 'integer', example } });

const LIST_PARAMETERS = [
  text('filter', 'Filter (RFC 7644, section 3.4.2.2).', 'userName eq "jane.doe@example.com"'),
  integer('startIndex', 'Position of the first result, from 1.', 1),
  integer('count', 'Maximum number of results. At most 200; the default is 100.', 100),
  text('cursor', 'Cursor of the page (RFC 9865): empty for the first page, then `nextCursor` of the previous page.', ''),
];
const PROJECTION_PARAMETERS = [
  text('attributes', 'Attributes to return, separated by commas.', 'userName,active'),
  text('excludedAttributes', 'Attributes to leave out, separated by commas.', 'members'),
];
const IF_MATCH = ApiHeader({
  name: 'If-Match',
  required: false,
  description: '`meta.version` of an earlier response. If the resource has changed since, the response is 412.',
  schema: { type: 'string', example: 'W/"3.1"' },
});

/** Documents the connection in the path and the section. */
export const ApiScimSection = (tag: string): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiParam({
      name: 'connection',
      description: 'Id of the connection.',
      schema: { type: 'string', example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek' },
    }),
  );

/** Documents the id of a resource in the path. */
export const ApiScimId = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'Id of the resource.', schema: { type: 'string' } });
