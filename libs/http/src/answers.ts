import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { Pagination } from './pagination.js';

/** One resource, wrapped as every answer is. */
export interface DataAnswer<T> {
  data: T;
}

/** One refused field of a problem. */
export class FieldProblemResponse {
  @ApiProperty({ description: 'JSON Pointer to the field (or `/name` of a parameter).', example: '/email' })
  pointer!: string;

  @ApiProperty({
    description: 'Where the field stands.',
    enum: ['body', 'query', 'path', 'header'],
    required: false,
    example: 'body',
  })
  in?: string;

  @ApiProperty({ description: 'What is wrong, for programs.', example: 'invalid_email' })
  code!: string;

  @ApiProperty({ description: 'What is wrong, for people.', example: 'email must be an e-mail address such as ada@example.com.' })
  message!: string;
}

/** An error (RFC 9457). */
export class ProblemResponse {
  @ApiProperty({
    description: 'A page that explains this error.',
    format: 'uri',
    example: 'http://localhost:3000/docs/errors/validation_failed',
  })
  type!: string;

  @ApiProperty({ example: 'Bad request' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 400 })
  status!: number;

  @ApiProperty({
    description: 'What happened and what to do.',
    example: 'email must be an e-mail address such as ada@example.com.',
  })
  detail!: string;

  @ApiProperty({ description: 'The path that was asked for.', example: '/v1/organizations/acme/users' })
  instance!: string;

  @ApiProperty({ description: 'Stable name of the error, for programs.', example: 'validation_failed' })
  code!: string;

  @ApiProperty({ description: 'Names this request in the logs.', example: 'req_01jz0000000000000000000000' })
  requestId!: string;

  @ApiProperty({ description: 'The refused fields, for a validation error.', type: [FieldProblemResponse], required: false })
  errors?: FieldProblemResponse[];
}

/** Documents `{data: …}` with one resource. */
export function ApiData(type: Type<unknown>, { status = 200, description = 'Done.' } = {}): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(type),
    ApiResponse({
      status,
      description,
      schema: { type: 'object', required: ['data'], properties: { data: { $ref: getSchemaPath(type) } } },
    }),
  );
}

/** Documents `{data: [...], pagination}`. */
export function ApiList(type: Type<unknown>, description = 'A page of the list, newest first.'): MethodDecorator {
  const schema = {
    type: 'object',
    required: ['data', 'pagination'],
    properties: {
      data: { type: 'array', items: { $ref: getSchemaPath(type) } },
      pagination: { $ref: getSchemaPath(Pagination) },
    },
  };
  return applyDecorators(ApiExtraModels(type, Pagination), ApiResponse({ status: 200, description, schema }));
}

/** Documents error answers as problem documents, with the codes that a caller may meet. */
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
