import { ApiProblem, type FieldProblem } from './problem';

interface FormErrors {
  readonly fields: Record<string, string>;
  readonly rest: unknown;
}

/**
 * Splits an error for a form. `fields` contains the messages by field: `/profile/name` and `/profile/name/0` become `profile.name`. `rest` is
 * the error without these messages, or undefined if the listed fields show every message.
 */
export function formErrors(error: unknown, fieldNames: readonly string[]): FormErrors {
  return splitErrors(error, (name) => fieldNames.find((field) => name === field || name.startsWith(`${field}.`)));
}

/** Like `formErrors`, for a form with its own names. `fieldOf` returns the field that shows an error, or undefined. */
export function splitErrors(error: unknown, fieldOf: (name: string) => string | undefined): FormErrors {
  if (!(error instanceof ApiProblem)) return { fields: {}, rest: error ?? undefined };
  const fields: Record<string, string> = {};
  const others: FieldProblem[] = [];
  for (const problem of error.fields) {
    const field = fieldOf((problem.pointer ?? '').slice(1).replaceAll('/', '.'));
    if (field === undefined) others.push(problem);
    else fields[field] = [fields[field], problem.message].filter(Boolean).join(' ');
  }
  if (others.length === error.fields.length) return { fields, rest: error };
  return { fields, rest: others.length > 0 ? error.withFields(others) : undefined };
}
