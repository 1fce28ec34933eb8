/** Permissions that `*` and their own name cover, but no wildcard of a resource: roles and keys with `users:*` must not get them. */
const NEVER_BY_WILDCARD: ReadonlySet<string> = new Set(['users:impersonate']);

/** Returns whether the granted permissions cover the wanted permission. `*` and wildcards such as `users:*` cover several permissions. */
export function hasPermission(granted: readonly string[], wanted: string): boolean {
  const group = NEVER_BY_WILDCARD.has(wanted) ? wanted : `${wanted.slice(0, wanted.indexOf(':') + 1)}*`;
  return granted.some((permission) => permission === '*' || permission === wanted || permission === group);
}
