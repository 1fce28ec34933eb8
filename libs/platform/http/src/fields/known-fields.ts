import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationOptions } from 'class-validator';

/** A field that a request class declares. */
export interface KnownField {
  /** The class of the object, or of the items of the list. Undefined for other values. */
  readonly type?: () => Type<unknown>;
  /** Maximum number of items. Undefined for an object. */
  readonly maxItems?: number;
}

/** Returns validation options that make the class of nested objects known to `knownFields`. Mapped types such as `OmitType` keep them. */
export const nestedField = (field: Required<Pick<KnownField, 'type'>> & KnownField): ValidationOptions => ({ context: field });

const fieldsByClass = new WeakMap<Type<unknown>, ReadonlyMap<string, KnownField>>();

/** Returns the fields that a request class declares, by name. */
export function knownFields(type: Type<unknown>): ReadonlyMap<string, KnownField> {
  const cached = fieldsByClass.get(type);
  if (cached) return cached;
  const fields = new Map<string, KnownField>();
  for (const { propertyName, context } of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false))
    fields.set(propertyName, { ...fields.get(propertyName), ...(context as KnownField | undefined) });
  fieldsByClass.set(type, fields);
  return fields;
}
