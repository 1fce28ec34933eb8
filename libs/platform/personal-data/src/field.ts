import type { ApiPropertyOptions } from '@nestjs/swagger';
import { column } from '#platform/database';

const TIME_EXAMPLE = '2026-01-15T09:00:00.000Z';

type Schema = ApiPropertyOptions;

/** Fields of a section: the column that the statement returns, and the schema of the value in OpenAPI. */
export const field = {
  text: (description: string, example: string) => ({
    column: column.text(),
    schema: { description, type: 'string', example } as Schema,
  }),
  nullableText: (description: string, example: string) => ({
    column: column.nullable(column.text()),
    schema: { description, type: 'string', nullable: true, example } as Schema,
  }),
  texts: (description: string, example: readonly string[]) => ({
    column: column.arrayOf(column.text()),
    schema: { description, type: [String], example } as Schema,
  }),
  time: (description: string) => ({
    column: column.timestamp(),
    schema: { description, type: 'string', format: 'date-time', example: TIME_EXAMPLE } as Schema,
  }),
  nullableTime: (description: string) => ({
    column: column.nullable(column.timestamp()),
    schema: { description, type: 'string', format: 'date-time', nullable: true, example: TIME_EXAMPLE } as Schema,
  }),
  integer: (description: string, example: number) => ({
    column: column.integer(),
    schema: { description, type: 'integer', example } as Schema,
  }),
  boolean: (description: string) => ({
    column: column.boolean(),
    schema: { description, type: 'boolean', example: true } as Schema,
  }),
  object: (description: string, example: object) => ({
    column: column.json<object>(),
    schema: { description, type: 'object', additionalProperties: true, example } as Schema,
  }),
  nullableObject: (description: string, example: object) => ({
    column: column.nullable(column.json<object>()),
    schema: { description, type: 'object', additionalProperties: true, nullable: true, example } as Schema,
  }),
} as const;

export type Field = ReturnType<(typeof field)[keyof typeof field]>;
