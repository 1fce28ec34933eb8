import type { FactorMethod } from '../mfa-method.js';

/**
 * Returns the methods of a user that can complete a challenge: the enrolled methods that the organization allows. If the organization allows
 * none of them, returns all enrolled methods, because a factor that is no longer allowed still protects against an attacker who knows the
 * password. With `requireMfa`, the session can then only add an allowed factor.
 */
export function offeredMethods(enrolled: readonly FactorMethod[], allowed: readonly string[]): FactorMethod[] {
  const usable = enrolled.filter((method) => allowed.includes(method));
  return usable.length > 0 ? usable : [...enrolled];
}
