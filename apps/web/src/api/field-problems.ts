import { ApiProblem } from './problem';

/**
 * What a form shows of a problem: messages by the name of the field, several of one after each other (`/profile/name` is `profile.name`),
 * and the problem itself where it is about more than the fields that the form has.
 */
export function fieldProblems(error: unknown, shown: readonly string[]): { fields: Record<string, string>; rest: unknown } {
  if (!(error instanceof ApiProblem)) return { fields: {}, rest: error ?? undefined };
  const fields: Record<string, string> = {};
  for (const { pointer = '', message } of error.fields) {
    const name = pointer.slice(1).replaceAll('/', '.');
    fields[name] = [fields[name], message].filter(Boolean).join(' ');
  }
  const isShown = error.fields.length > 0 && Object.keys(fields).every((name) => shown.includes(name));
  return { fields, rest: isShown ? undefined : error };
}
