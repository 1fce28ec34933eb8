import type { FactorMethod } from '../mfa-method.js';

/**
 * Returns the methods of a user that can complete a challenge: the methods that the organization allows. If it allows none of them, all
 * count, since a factor that is no longer allowed still protects against an attacker who knows the password. `requireMfa` then limits the session.
 */
export function offeredMethods(enrolled: readonly FactorMethod[], allowed: readonly string[]): FactorMethod[] {
  const usable = enrolled.filter((method) => allowed.includes(method));
  return usable.length > 0 ? usable : [...enrolled];
}
