import { registerDecorator, type ValidationOptions } from 'class-validator';

/** What is wrong with a value: a stable code and a sentence, which starts after the field's name. `path` leads deeper into the value. */
export interface Complaint {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

const complaints = new WeakMap<object, Map<string, Complaint>>();

/** A class-validator rule from a plain function that gives the complaint, or nothing when the value is right. */
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

/** The complaint that made a field's check fail. */
export const complaintOf = (object: object, property: string): Complaint | undefined => complaints.get(object)?.get(property);
