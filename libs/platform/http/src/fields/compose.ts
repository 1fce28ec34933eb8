import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsDefined, IsOptional, ValidateIf, type ValidationOptions } from 'class-validator';

/** Options of all fields of a request. */
export interface FieldOptions {
  readonly description: string;
  readonly example?: unknown;
  /** Whether a request without this field is rejected. */
  readonly required?: boolean;
  /** Whether `null` means to delete the value. Otherwise, `null` means that the field is absent. */
  readonly nullable?: boolean;
  readonly default?: unknown;
}

type Validator = (options: ValidationOptions) => PropertyDecorator;

/** Returns one decorator for validation, conversion and documentation of a field, so that they can't differ. */
export function composeField(
  options: FieldOptions,
  schema: Record<string, unknown>,
  convert: (value: unknown) => unknown,
  validators: readonly Validator[],
): PropertyDecorator {
  const { required = false, nullable = false, description, example } = options;
  // `nullable` becomes the second type `null` in the OpenAPI 3.1 document. Nest would interpret a list of types as an array of items.
  const documented = nullable ? { ...schema, nullable: true } : schema;
  const property = {
    ...documented,
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
