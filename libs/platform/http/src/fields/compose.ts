import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsDefined, IsOptional, ValidateIf, type ValidationOptions } from 'class-validator';

/** What every field of a request says about itself. */
export interface FieldOptions {
  readonly description: string;
  readonly example?: unknown;
  /** Without it the operation can't be done. */
  readonly required?: boolean;
  /** `null` has a meaning of its own here (take the value away); elsewhere `null` counts as absent. */
  readonly nullable?: boolean;
  readonly default?: unknown;
}

type Validator = (options: ValidationOptions) => PropertyDecorator;

/** One decorator for validation, conversion and documentation of a field, so that they can't drift apart. */
export function composeField(
  options: FieldOptions,
  schema: Record<string, unknown>,
  convert: (value: unknown) => unknown,
  validators: readonly Validator[],
): PropertyDecorator {
  const { required = false, nullable = false, description, example } = options;
  // Becomes a second type, `null`, when the document is written (OpenAPI 3.1); a list of types here would be read as an array of items.
  const shown = nullable ? { ...schema, nullable: true } : schema;
  const property = {
    ...shown,
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
