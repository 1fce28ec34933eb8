import type { Schema } from '../../api/client';
import { covers } from '../permissions';

export type Permission = Schema<'PermissionResponse'>;

export const EVERYTHING = '*';
export const allOf = (resource: string): string => `${resource}:*`;
export const resourceOf = (permission: string): string => permission.slice(0, permission.indexOf(':'));
export const actionOf = (permission: string): string => permission.slice(permission.indexOf(':') + 1);

/** As the API wants customers' own permissions. */
export const OWN_PERMISSION = /^[a-z][a-z0-9_.-]*:(\*|[a-z][a-z0-9_.-]*)$/;

/** Whether a permission or pattern is about this service, not about a customer's own application. */
export function isOfService(permission: string, known: readonly Permission[]): boolean {
  if (permission === EVERYTHING) return true;
  return known.some(({ name }) => name === permission || permission === allOf(resourceOf(name)));
}

/** Whether who holds some permissions may hand on another, or a pattern: all that it covers has to be held. */
export function mayHandOn(held: readonly string[], permission: string, known: readonly Permission[]): boolean {
  if (permission === EVERYTHING) return held.includes(EVERYTHING);
  const covered = known.filter(({ name }) => covers([permission], name));
  return covered.every(({ name }) => covers(held, name));
}

/** The resources of this service and, over all of them, the actions, each in the order of the API. */
export function gridOf(known: readonly Permission[]): { resources: readonly string[]; actions: readonly string[] } {
  return {
    resources: [...new Set(known.map(({ name }) => resourceOf(name)))],
    actions: [...new Set(known.map(({ name }) => actionOf(name)))],
  };
}
