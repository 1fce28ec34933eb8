import { SetMetadata } from '@nestjs/common';
import { hasPermission } from './covers-permission.js';
import { GrantBeyondOwn } from './domain-error.js';
import { GRANTABLE_SCOPES, type ServicePermission } from './permissions.js';
import type { Caller, Grant, OrganizationScope } from './request-context.js';

// Stryker disable StringLiteral: the names are arbitrary, distinct and used only through their constants
export const PUBLIC_ROUTE = 'access:public';
export const REQUIRED_ACCESS = 'access:required';
export const OWN_ACCOUNT = 'access:own-account';
export const ALLOWED_WHILE_SUSPENDED = 'access:allowed-while-suspended';
// Stryker restore StringLiteral

/** The path parameter with the SCIM connection. Only this connection can call the route. */
// Stryker disable next-line StringLiteral: the routes of SCIM contain this name, so `access-guard.spec.ts` detects the mutant.
export const CONNECTION_PARAM = 'connection';

/** The access that `@Requires` declares for a route. */
export interface RequiredAccess {
  readonly permission: ServicePermission;
  /** The path parameter with the organization, or `CONNECTION_PARAM`. If not set, the operation covers all organizations that the caller can access. */
  readonly organizationParam?: string;
}

/** The exception that `@AllowedWhileSuspended` declares for a route. */
export interface SuspensionException {
  /** Whether the route is also allowed for users and API keys of the suspended organization. */
  readonly forSuspendedCallers: boolean;
}

/** The access that `@OwnAccount` declares for a route. */
export interface OwnAccountAccess {
  /** Whether the route is also allowed for sessions that can only add an MFA factor. */
  readonly whileEnrolling: boolean;
  /** Whether the route is also allowed for operators, who have a session but no account. */
  readonly operators: boolean;
  /** Whether a route that changes something is also allowed for sessions of impersonators. Such sessions can always read. */
  readonly whileImpersonating: boolean;
}

/** Marks a route that requires no credential. `why` is the reason. */
export const Public = (why: string): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC_ROUTE, why);

/**
 * Marks a write that is allowed in a suspended or pending organization: the end of the suspension, the deletion of the organization, or a
 * POST without changes. With `forSuspendedCallers`, users and API keys of a suspended organization can also call the route.
 */
export const AllowedWhileSuspended = ({ forSuspendedCallers = false } = {}): MethodDecorator & ClassDecorator =>
  SetMetadata(ALLOWED_WHILE_SUSPENDED, { forSuspendedCallers } satisfies SuspensionException);

/** Allows a caller to grant application permissions that the caller lacks, in the caller's organizations and their descendants. */
const GRANT_PERMISSION: ServicePermission = 'permissions:grant';

/** Returns whether a permission belongs to a customer's application. Permissions and wildcards of this service do not. */
const isApplicationPermission = (permission: string): boolean => !GRANTABLE_SCOPES.includes(permission);

/**
 * Returns the wanted permissions that the caller can't grant because the caller's permissions don't cover them. A wildcard covers future
 * permissions, so only an equal or wider wildcard covers a wildcard.
 */
export function permissionsBeyond(held: readonly string[], wanted: readonly string[]): string[] {
  const grantsApplicationPermissions = hasPermission(held, GRANT_PERMISSION);
  return wanted.filter(
    (permission) => !hasPermission(held, permission) && !(grantsApplicationPermissions && isApplicationPermission(permission)),
  );
}

/** Returns whether a permission allows changes in this service. */
export const changesSomething = (permission: string): boolean =>
  !isApplicationPermission(permission) && !permission.endsWith(':read');

type OrganizationPath = Pick<OrganizationScope, 'id' | 'ancestorIds'>;

/** Returns whether `organizationId` is the ID of an organization or of one of its ancestors. */
export const covers = (organizationId: string, { id, ancestorIds }: OrganizationPath): boolean =>
  id === organizationId || ancestorIds.includes(organizationId);

/** Returns whether the caller can access an organization: for a user, with the permission that the operation requires. */
export function reaches(caller: Caller, organization: OrganizationPath): boolean {
  if (caller.kind === 'platform' || caller.kind === 'system') return true;
  if (caller.inaccessibleOrganizationIds?.some((each) => covers(each, organization))) return false;
  return caller.organizationIds?.some((each) => covers(each, organization)) ?? false;
}

/** Returns whether the caller can access an organization without break-glass access. */
export const reachesItself = (caller: Caller, organization: OrganizationPath): boolean =>
  reaches({ ...caller, organizationIds: caller.ownOrganizationIds ?? caller.organizationIds }, organization);

/**
 * Returns the permissions that the caller has in an organization without break-glass access. Permissions from break-glass access expire, so
 * the caller can't use them to grant permissions or to change users.
 */
export function ownPermissionsAt(caller: Caller, organization: OrganizationPath): readonly string[] {
  if (!caller.grants) return permissionsAt(caller, organization);
  return permissionsAt({ ...caller, grants: caller.grants.filter(({ temporary }) => !temporary) }, organization);
}

/** Asserts that the caller can grant permissions in an organization. `what` names the role or key. @throws GrantBeyondOwn (403) */
export function assertDelegable(
  caller: Caller,
  organization: OrganizationPath,
  what: string,
  permissions: readonly string[],
): void {
  const missing = permissionsBeyond(ownPermissionsAt(caller, organization), permissions);
  if (missing.length > 0) throw new GrantBeyondOwn(what, missing);
}

/** Returns the permissions of the caller in any organization, not only in the organization of the request. */
export function permissionsAt(caller: Caller, organization: OrganizationPath): readonly string[] {
  if (!caller.grants) return reaches(caller, organization) ? caller.permissions : [];
  const held = caller.grants.filter(({ organizationId }) => covers(organizationId, organization));
  return [...new Set(held.flatMap(({ permissions }) => permissions))];
}

/**
 * Returns the caller for an operation that requires a permission. A user is limited to the organizations in which the user has the
 * permission. All other callers stay unchanged. `organization` is the organization of the operation.
 */
export function callerFor(caller: Caller, permission: string, organization?: OrganizationPath): Caller {
  if (!caller.grants) return caller;
  const grantsWithPermission = caller.grants.filter(({ permissions }) => hasPermission(permissions, permission));
  const idsOf = (grants: readonly Grant[]): string[] => grants.map(({ organizationId }) => organizationId);
  const organizationIds = idsOf(grantsWithPermission);
  const limitedCaller = {
    ...caller,
    organizationIds,
    ownOrganizationIds: idsOf(grantsWithPermission.filter(({ temporary }) => !temporary)),
  };
  if (organization) return { ...limitedCaller, permissions: permissionsAt(caller, organization) };
  return { ...limitedCaller, permissions: organizationIds.length > 0 ? [permission] : [] };
}

/**
 * Returns whether the sign-in used an allowed MFA factor. Recovery codes and factors that an identity provider verified (`mfa`) always
 * count.
 */
export const hasSecondFactor = (authenticationMethods: readonly string[], allowedMethods: readonly string[]): boolean =>
  authenticationMethods.some((method) => method === 'mfa' || method === 'recovery_code' || allowedMethods.includes(method));

/**
 * Returns the permissions that two lists have in common. Of a wildcard and a permission that it covers, the permission is common.
 */
export const commonPermissions = (first: readonly string[], second: readonly string[]): string[] => [
  ...new Set([
    ...first.filter((permission) => hasPermission(second, permission)),
    ...second.filter((permission) => hasPermission(first, permission)),
  ]),
];
