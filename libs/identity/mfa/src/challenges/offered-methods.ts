import type { FactorMethod } from '../mfa-method.js';

/**
 * Which of a user's factors a sign-in may be completed with: those that the organization allows. A factor that it allows no longer still
 * stands before a stranger with the password, so where none is allowed, all count; what the session may do is decided by `requireMfa`.
 */
export function offeredMethods(enrolled: readonly FactorMethod[], allowed: readonly string[]): FactorMethod[] {
  const usable = enrolled.filter((method) => allowed.includes(method));
  return usable.length > 0 ? usable : [...enrolled];
}
