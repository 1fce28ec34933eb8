import { ApiProblem } from '../../api/problem';

/** Messages by field of a problem, several of one field after each other; and the problem itself where no field shows it. */
export function fieldProblems(error: unknown, shown: readonly string[]): { fields: Record<string, string>; rest: unknown } {
  if (!(error instanceof ApiProblem)) return { fields: {}, rest: error ?? undefined };
  const fields: Record<string, string> = {};
  for (const { pointer = '', message } of error.fields) {
    const name = pointer.slice(1);
    fields[name] = [fields[name], message].filter(Boolean).join(' ');
  }
  const isShown = error.fields.length > 0 && Object.keys(fields).every((name) => shown.includes(name));
  return { fields, rest: isShown ? undefined : error };
}
