import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsDefined, IsOptional, ValidateIf, type ValidationOptions } from 'class-validator';

export interface FieldOptions {
  readonly description: string;
  readonly example?: unknown;
  readonly required?: boolean;
  /** Whether `null` deletes the value. If not set, `null` counts as an absent field. */
  readonly nullable?: boolean;
  readonly default?: unknown;
}

type Validator = (options: ValidationOptions) => PropertyDecorator;

/** Returns one decorator for validation, conversion and documentation of a field. */
export function composeField(
  options: FieldOptions,
  schema: Record<string, unknown>,
  convert: (value: unknown) => unknown,
  validators: readonly Validator[],
): PropertyDecorator {
  const { required = false, nullable = false, description, example } = options;
  // In the OpenAPI 3.1 document, `nullable` becomes the second type `null`. Nest would interpret a list of types as an array of items.
  const nullableSchema = nullable ? { ...schema, nullable: true } : schema;
  const property = {
    ...nullableSchema,
    required,
    description,
    ...(example === undefined ? {} : { example }),
    ...(options.default === undefined ? {} : { default: options.default }),
  } as ApiPropertyOptions;
  return applyDecorators(
    ApiProperty(property),
    Transform(({ obj, key }: TransformFnParams) => {
      const raw = (obj as Record<string, unknown>)[key];
      if (raw === null) return nullable ? null : undefined;
      return raw === undefined ? undefined : convert(raw);
    }),
    required ? IsDefined({ message: `$property is required.` }) : IsOptional(),
    ...(nullable ? [ValidateIf((_, value) => value !== null)] : []),
    ...validators.map((validator) => validator({})),
  );
}
