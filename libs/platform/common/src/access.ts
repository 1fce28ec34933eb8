import { SetMetadata } from '@nestjs/common';
import { GrantBeyondOwn } from './domain-error.js';
import { GRANTABLE_SCOPES, type ServicePermission } from './permissions.js';
import type { Caller, Grant, OrganizationScope } from './request-context.js';

// Stryker disable StringLiteral: the names are arbitrary but distinct, and are used only through their constants
export const PUBLIC_ROUTE = 'access:public';
export const REQUIRED_ACCESS = 'access:required';
export const OWN_ACCOUNT = 'access:own-account';
export const ALLOWED_WHILE_SUSPENDED = 'access:allowed-while-suspended';
// Stryker restore StringLiteral

/** The access that `@Requires` declares for a route. */
export interface RequiredAccess {
  readonly permission: ServicePermission;
  /** The path parameter with the organization. If not set, the operation covers all organizations that the caller can access. */
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
}

/** Marks a route that requires no credential. `why` is the reason. */
export const Public = (why: string): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC_ROUTE, why);

/**
 * Marks a write that is allowed in a suspended or pending organization: the end of the suspension, the deletion of the organization, or a
 * POST that changes nothing. With `forSuspendedCallers`, the write is also allowed for users and API keys of a suspended organization.
 */
export const AllowedWhileSuspended = ({ forSuspendedCallers = false } = {}): MethodDecorator & ClassDecorator =>
  SetMetadata(ALLOWED_WHILE_SUSPENDED, { forSuspendedCallers } satisfies SuspensionException);

/** Returns whether the granted permissions cover the wanted permission. `*` and `users:*` cover groups of permissions. */
export function hasPermission(granted: readonly string[], wanted: string): boolean {
  const group = `${wanted.slice(0, wanted.indexOf(':') + 1)}*`;
  return granted.some((permission) => permission === '*' || permission === wanted || permission === group);
}

/** Allows granting application permissions that the caller does not have, in the caller's organizations and their descendants. */
const GRANT_PERMISSION: ServicePermission = 'permissions:grant';

/** Returns whether a permission belongs to a customer's application and is not a permission or wildcard of this service. */
const isApplicationPermission = (permission: string): boolean => !GRANTABLE_SCOPES.includes(permission);

/**
 * Returns the wanted permissions that the caller can't grant, because the held permissions don't cover them. A wildcard is covered only by
 * the same or a wider wildcard, because it also covers future permissions.
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

/** Returns whether an organization has the ID `organizationId` or is a descendant of the organization with this ID. */
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
 * they count neither for grants nor for changes of other users.
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

/** Returns the permissions of the caller in any organization, not only in that of the request. */
export function permissionsAt(caller: Caller, organization: OrganizationPath): readonly string[] {
  if (!caller.grants) return reaches(caller, organization) ? caller.permissions : [];
  const held = caller.grants.filter(({ organizationId }) => covers(organizationId, organization));
  return [...new Set(held.flatMap(({ permissions }) => permissions))];
}

/**
 * Returns the caller for an operation that requires a permission. A user is limited to the organizations in which the user has the
 * permission; any other caller does not change. `organization` is the organization of the operation.
 */
export function callerFor(caller: Caller, permission: string, organization?: OrganizationPath): Caller {
  if (!caller.grants) return caller;
  const holding = caller.grants.filter(({ permissions }) => hasPermission(permissions, permission));
  const idsOf = (grants: readonly Grant[]): string[] => grants.map(({ organizationId }) => organizationId);
  const organizationIds = idsOf(holding);
  const narrowed = { ...caller, organizationIds, ownOrganizationIds: idsOf(holding.filter(({ temporary }) => !temporary)) };
  if (organization) return { ...narrowed, permissions: permissionsAt(caller, organization) };
  return { ...narrowed, permissions: organizationIds.length > 0 ? [permission] : [] };
}

/**
 * Returns whether the sign-in used an allowed MFA factor. A factor verified by an identity provider (`mfa`) and a recovery code always
 * count.
 */
export const hasSecondFactor = (authenticationMethods: readonly string[], allowedMethods: readonly string[]): boolean =>
  authenticationMethods.some((method) => method === 'mfa' || method === 'recovery_code' || allowedMethods.includes(method));
