import { type FieldProblem, InvalidRequest, type FieldProblemCode } from '#platform/common';
import { findTextError } from '#platform/http';

type Body = Readonly<Record<string, unknown>>;

/** Rejects a member of a request. @throws InvalidRequest (400) */
export function reject(member: string, code: FieldProblemCode, message: string): never {
  const problem: FieldProblem = { pointer: `/${member}`, in: 'body', code, message: `${member} ${message}` };
  throw new InvalidRequest([problem]);
}

/** Returns the members of a body. Unknown members are ignored, as the specification says. @throws InvalidRequest (400) */
export function membersOf(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  throw new InvalidRequest([{ pointer: '', in: 'body', code: 'wrong_type', message: 'The body must be a JSON object.' }]);
}

/** Returns a text, or undefined if it is absent or null. @throws InvalidRequest (400) */
export function optionalText(body: Body, name: string, maxLength: number, path = name): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const problem = findTextError(value, { maxLength, minLength: 0 });
  if (problem) reject(path, problem.code, problem.message);
  return value as string;
}

/** @throws InvalidRequest (400) */
export function requiredText(body: Body, name: string, maxLength: number, path = name): string {
  return optionalText(body, name, maxLength, path) ?? reject(path, 'required', 'is required.');
}

/** Returns a list of texts, or undefined if it is absent or null. @throws InvalidRequest (400) */
export function optionalTexts(body: Body, name: string, maxItems: number, maxLength: number): string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) reject(name, 'wrong_type', 'must be a list.');
  if (value.length > maxItems) reject(name, 'too_many', `must have at most ${maxItems} items.`);
  for (const item of value) {
    const problem = findTextError(item, { maxLength });
    if (problem) reject(name, problem.code, `has an invalid item, which ${problem.message}`);
  }
  return [...new Set(value as string[])];
}

/** @throws InvalidRequest (400) */
export function optionalBoolean(body: Body, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || typeof value === 'boolean') return value;
  return reject(name, 'wrong_type', 'must be true or false.');
}

/** @throws InvalidRequest (400) */
export function optionalCount(body: Body, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0)) return value;
  return reject(name, 'out_of_range', 'must be a whole number from 0.');
}

/** Returns an object, or undefined if it is absent or null. @throws InvalidRequest (400) */
export function optionalObject(body: Body, name: string): Body | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) reject(name, 'wrong_type', 'must be an object.');
  return value as Body;
}
