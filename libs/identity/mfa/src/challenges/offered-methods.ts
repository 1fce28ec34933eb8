import type { FactorMethod } from '../mfa-method.js';

/**
 * Returns the enrolled methods that the organization allows. Without such a method, returns all enrolled methods, because a disallowed
 * factor still protects against an attacker who knows the password.
 */
export function offeredMethods(enrolled: readonly FactorMethod[], allowed: readonly string[]): FactorMethod[] {
  const usable = enrolled.filter((method) => allowed.includes(method));
  return usable.length > 0 ? usable : [...enrolled];
}
