import type { FieldProblemCode, ViolatedLimits } from '#platform/common';
import { registerDecorator, type ValidationOptions } from 'class-validator';

/** The problem of a value. `message` is the rest of a sentence that begins with the name of the field. `path` points into the value. */
export interface FieldError extends ViolatedLimits {
  readonly code: FieldProblemCode;
  readonly message: string;
  readonly path?: string;
}

const fieldErrors = new WeakMap<object, Map<string, FieldError>>();

/** Returns a class-validator rule for `findError`, which returns the problem of a value, or undefined if the value is valid. */
export const check =
  (findError: (value: unknown) => FieldError | undefined) =>
  (options: ValidationOptions): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: 'check',
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: {
        validate(value: unknown, context) {
          const fieldError = findError(value);
          if (!fieldError || !context) return !fieldError;
          const errorsOfObject = fieldErrors.get(context.object) ?? new Map<string, FieldError>();
          errorsOfObject.set(context.property, fieldError);
          fieldErrors.set(context.object, errorsOfObject);
          return false;
        },
        defaultMessage: (context) =>
          (context && fieldErrors.get(context.object)?.get(context.property)?.message) || 'is not valid.',
      },
    });

export const fieldErrorOf = (object: object, property: string): FieldError | undefined => fieldErrors.get(object)?.get(property);
