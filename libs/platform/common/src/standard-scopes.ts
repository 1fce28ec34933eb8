/** Scopes of OAuth whose names a standard prescribes, with the permissions of this service that they are. */
const PERMISSIONS_OF_SCOPE: ReadonlyMap<string, readonly string[]> = new Map([
  ['ssf.manage', ['ssf_streams:read', 'ssf_streams:write']],
  ['ssf.read', ['ssf_streams:read']],
]);

/** The scopes for the API of this service that OAuth clients can have besides permissions. */
export const STANDARD_SCOPES: readonly string[] = [...PERMISSIONS_OF_SCOPE.keys()];

/** Returns the permissions that a scope for the API of this service is. */
export const permissionsOfScope = (scope: string): readonly string[] => PERMISSIONS_OF_SCOPE.get(scope) ?? [scope];

/** Returns the scope that an OAuth client requests to get a permission. */
export const scopeFor = (permission: string): string =>
  STANDARD_SCOPES.toReversed().find((scope) => permissionsOfScope(scope).includes(permission)) ?? permission;
