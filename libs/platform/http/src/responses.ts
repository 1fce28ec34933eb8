import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { Pagination } from './pagination.js';

export interface DataResponse<T> {
  data: T;
}

export class FieldProblemResponse {
  @ApiProperty({
    description: 'JSON Pointer to the invalid field. For an invalid parameter: `/` and the name of the parameter.',
    example: '/email',
  })
  pointer!: string;

  @ApiProperty({
    description: 'Part of the request that contains the field or the parameter.',
    enum: ['body', 'query', 'path', 'header'],
    required: false,
    example: 'body',
  })
  in?: string;

  @ApiProperty({ description: 'Stable code of the problem, for programs.', example: 'invalid_email' })
  code!: string;

  @ApiProperty({
    description: 'Explanation of the problem, for people.',
    example: 'email must be an email address such as jane.doe@example.com.',
  })
  message!: string;

  @ApiProperty({
    description: 'Smallest number, or smallest number of characters or items. Present if the value is too small, short or few.',
    type: 'integer',
    required: false,
    example: 12,
  })
  minimum?: number;

  @ApiProperty({
    description:
      'Largest number, largest number of characters, items or levels, or largest size in bytes. Present if the value is too large, long, many or deep.',
    type: 'integer',
    required: false,
    example: 100,
  })
  maximum?: number;
}

export class ProblemResponse {
  @ApiProperty({
    description: 'URL of a page that explains the error.',
    format: 'uri',
    example: 'http://localhost:3000/docs/errors/validation_failed',
  })
  type!: string;

  @ApiProperty({ description: 'Short name of the HTTP status.', example: 'Bad request' })
  title!: string;

  @ApiProperty({ description: 'HTTP status code.', type: 'integer', example: 400 })
  status!: number;

  @ApiProperty({
    description: 'What went wrong and how to fix it, for people.',
    example: 'email must be an email address such as jane.doe@example.com.',
  })
  detail!: string;

  @ApiProperty({ description: 'Path of the request.', example: '/v1/organizations/acme/users' })
  instance!: string;

  @ApiProperty({ description: 'Stable code of the error, for programs.', example: 'validation_failed' })
  code!: string;

  @ApiProperty({
    description: 'Id of the request, as in the `X-Request-Id` header and in the logs of the service.',
    example: 'req_01jz0000000000000000000000',
  })
  requestId!: string;

  @ApiProperty({
    description: 'Invalid fields and parameters. Present only if the error is about specific fields or parameters.',
    type: [FieldProblemResponse],
    required: false,
  })
  errors?: FieldProblemResponse[];

  @ApiProperty({
    description: 'Earliest moment that `asOf` can have. Present only if the code is `history_unavailable`.',
    format: 'date-time',
    required: false,
    example: '2027-03-03T10:00:00.000Z',
  })
  earliest?: string;
}

/**
 * Returns the `ApiProperty` options of a field whose value is one of the `values` or null. Client generators can't handle an enum that
 * contains null.
 */
export const choiceOrNull = (values: readonly string[]): object => ({
  oneOf: [{ type: 'string', enum: [...values] }, { type: 'null' }],
});

type Fields = Readonly<Record<string, ApiPropertyOptions>>;

/**
 * Classes that wrap responses, by name. For example, `UserEnvelope` and `UserList` wrap `UserResponse`. Generated clients have a type for
 * each class.
 */
const wrappers = new Map<string, Type<unknown>>();

function wrapper(name: string, fields: Fields): Type<unknown> {
  const existing = wrappers.get(name);
  if (existing) return existing;
  const type = class {};
  Object.defineProperty(type, 'name', { value: name });
  for (const [field, options] of Object.entries(fields)) ApiProperty(options)(type.prototype, field);
  wrappers.set(name, type);
  return type;
}

const resourceName = ({ name }: Type<unknown>): string => name.replace(/Response$/, '');

/** Documents `{data: …}` with one resource, or with a list that has no pages. */
export function ApiData(type: Type<unknown> | [Type<unknown>], { status = 200, description = 'Success.' } = {}): MethodDecorator {
  const name = Array.isArray(type) ? `${resourceName(type[0])}Array` : `${resourceName(type)}Envelope`;
  return ApiResponse({ status, description, type: wrapper(name, { data: { type } }) });
}

/** Documents `{data: [...], pagination}`. */
export function ApiList(
  type: Type<unknown>,
  description = 'One page of the list, newest first.',
  pagination: Type<Pagination> = Pagination,
): MethodDecorator {
  const fields: Fields = { data: { type: [type] }, pagination: { type: pagination } };
  return ApiResponse({ status: 200, description, type: wrapper(`${resourceName(type).replace(/ListItem$/, '')}List`, fields) });
}

/** Documents error responses (problem documents) with their codes. */
export function ApiProblems(problems: Readonly<Record<number, string>>): MethodDecorator {
  const responses = Object.entries(problems).map(([status, description]) =>
    ApiResponse({
      status: Number(status),
      description,
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
    }),
  );
  return applyDecorators(ApiExtraModels(ProblemResponse), ...responses);
}
