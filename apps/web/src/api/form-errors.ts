import { ApiProblem } from './problem';

/**
 * Splits an error for a form. `fields` contains the messages by field: `/profile/name` becomes `profile.name`. `rest` is the
 * error if the listed fields can't show every message.
 */
export function formErrors(error: unknown, fieldNames: readonly string[]): { fields: Record<string, string>; rest: unknown } {
  if (!(error instanceof ApiProblem)) return { fields: {}, rest: error ?? undefined };
  const fields: Record<string, string> = {};
  for (const { pointer = '', message } of error.fields) {
    const name = pointer.slice(1).replaceAll('/', '.');
    fields[name] = [fields[name], message].filter(Boolean).join(' ');
  }
  const isShown = error.fields.length > 0 && Object.keys(fields).every((name) => fieldNames.includes(name));
  return { fields, rest: isShown ? undefined : error };
}
