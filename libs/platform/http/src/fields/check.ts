import { registerDecorator, type ValidationOptions } from 'class-validator';

/** The problem of a value: a stable code, and the rest of a sentence that begins with the name of the field. `path` points into the value. */
export interface Complaint {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

const complaints = new WeakMap<object, Map<string, Complaint>>();

/** Returns a class-validator rule for a function that returns the problem of a value, or undefined if the value is valid. */
export const check =
  (complaintAbout: (value: unknown) => Complaint | undefined) =>
  (options: ValidationOptions): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: 'check',
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: {
        validate(value: unknown, context) {
          const complaint = complaintAbout(value);
          if (!complaint || !context) return !complaint;
          const ofObject = complaints.get(context.object) ?? new Map<string, Complaint>();
          ofObject.set(context.property, complaint);
          complaints.set(context.object, ofObject);
          return false;
        },
        defaultMessage: (context) =>
          (context && complaints.get(context.object)?.get(context.property)?.message) || 'is not valid.',
      },
    });

/** Returns the problem of a field whose check failed. */
export const complaintOf = (object: object, property: string): Complaint | undefined => complaints.get(object)?.get(property);
