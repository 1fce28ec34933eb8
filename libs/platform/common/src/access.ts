import { SetMetadata } from '@nestjs/common';
import { GrantBeyondOwn } from './domain-error.js';
import { GRANTABLE_SCOPES, type ServicePermission } from './permissions.js';
import type { Caller, Grant, OrganizationScope } from './request-context.js';

// Stryker disable StringLiteral: any names would do, as long as they differ, and each is used under its constant alone
export const PUBLIC_ROUTE = 'access:public';
export const REQUIRED_ACCESS = 'access:required';
export const OWN_ACCOUNT = 'access:own-account';
export const ALLOWED_WHILE_SUSPENDED = 'access:allowed-while-suspended';
// Stryker restore StringLiteral

/** What `@Requires` declares about a route. */
export interface RequiredAccess {
  readonly permission: ServicePermission;
  /** The path parameter that names the organization; none: the operation spans all that the caller reaches. */
  readonly organizationParam?: string;
}

/** What `@AllowedWhileSuspended` declares about a route. */
export interface SuspensionException {
  /** Whether users and API keys of a suspended organization are served, too. */
  readonly byItsOwn: boolean;
}

/** What `@OwnAccount` declares about a route. */
export interface OwnAccountAccess {
  /** Whether sessions that may only add a second factor are served too. */
  readonly whileEnrolling: boolean;
  /** Whether operators are served too, who have a session but no account. */
  readonly operators: boolean;
}

/** Marks a route that needs no caller, and says why. */
export const Public = (why: string): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC_ROUTE, why);

/**
 * Marks a write that a suspended or pending organization still takes (and POSTs that change nothing): those that end the suspension,
 * and deletion. With `byItsOwn`, also from users and API keys of a suspended organization, who may do nothing else.
 */
export const AllowedWhileSuspended = ({ byItsOwn = false } = {}): MethodDecorator & ClassDecorator =>
  SetMetadata(ALLOWED_WHILE_SUSPENDED, { byItsOwn } satisfies SuspensionException);

/** Whether the granted permissions cover the wanted one; `*` and `users:*` cover whole groups. */
export function holdsPermission(granted: readonly string[], wanted: string): boolean {
  const group = `${wanted.slice(0, wanted.indexOf(':') + 1)}*`;
  return granted.some((permission) => permission === '*' || permission === wanted || permission === group);
}

/** Lets its holder grant application permissions that it does not hold, in its organizations and their descendants. */
const GRANT_PERMISSION: ServicePermission = 'permissions:grant';

/** Whether a permission belongs to a customer's application: neither one of this service nor a wildcard that covers some of them. */
const isApplicationPermission = (permission: string): boolean => !GRANTABLE_SCOPES.includes(permission);

/**
 * Returns the wanted permissions that the held ones don't cover, and which a holder therefore can't grant. A wildcard is covered by itself or
 * by a wider one only, since it also covers the permissions to come.
 */
export function permissionsBeyond(held: readonly string[], wanted: readonly string[]): string[] {
  const grantsApplicationPermissions = holdsPermission(held, GRANT_PERMISSION);
  return wanted.filter(
    (permission) => !holdsPermission(held, permission) && !(grantsApplicationPermissions && isApplicationPermission(permission)),
  );
}

/** Whether a permission lets its holder change something in this service. */
export const changesSomething = (permission: string): boolean =>
  !isApplicationPermission(permission) && !permission.endsWith(':read');

type Place = Pick<OrganizationScope, 'id' | 'ancestorIds'>;

/** Whether a place is an organization or lies below it. */
export const covers = (organizationId: string, { id, ancestorIds }: Place): boolean =>
  id === organizationId || ancestorIds.includes(organizationId);

/** Whether an organization lies in what the caller may reach: for a user, with the permission that the operation needs. */
export function reaches(caller: Caller, organization: Place): boolean {
  if (caller.kind === 'platform' || caller.kind === 'system') return true;
  if (caller.barredOrganizationIds?.some((each) => covers(each, organization))) return false;
  return caller.organizationIds?.some((each) => covers(each, organization)) ?? false;
}

/** Whether an organization lies in what the caller may reach without what break glass lends. */
export const reachesItself = (caller: Caller, organization: Place): boolean =>
  reaches({ ...caller, organizationIds: caller.ownOrganizationIds ?? caller.organizationIds }, organization);

/**
 * Returns the permissions that the caller holds itself in an organization. Those lent by break glass are left out: they end with it, so they
 * count neither for granting nor for acting on other people.
 */
export function ownPermissionsAt(caller: Caller, organization: Place): readonly string[] {
  if (!caller.grants) return permissionsAt(caller, organization);
  return permissionsAt({ ...caller, grants: caller.grants.filter(({ lent }) => !lent) }, organization);
}

/** @throws GrantBeyondOwn (403) when the caller does not hold a permission that it grants in the organization; `what` names what carries them. */
export function assertGrantable(caller: Caller, organization: Place, what: string, permissions: readonly string[]): void {
  const missing = permissionsBeyond(ownPermissionsAt(caller, organization), permissions);
  if (missing.length > 0) throw new GrantBeyondOwn(what, missing);
}

/** What the caller may do in an organization, whatever organization the request addresses. */
export function permissionsAt(caller: Caller, organization: Place): readonly string[] {
  if (!caller.grants) return reaches(caller, organization) ? caller.permissions : [];
  const held = caller.grants.filter(({ organizationId }) => covers(organizationId, organization));
  return [...new Set(held.flatMap(({ permissions }) => permissions))];
}

/**
 * The caller as an operation sees it that needs a permission, in the organization that it turns out to be about. A user is narrowed to where
 * it holds the permission; any other caller is the same everywhere.
 */
export function callerFor(caller: Caller, permission: string, organization?: Place): Caller {
  if (!caller.grants) return caller;
  const holding = caller.grants.filter(({ permissions }) => holdsPermission(permissions, permission));
  const idsOf = (grants: readonly Grant[]): string[] => grants.map(({ organizationId }) => organizationId);
  const organizationIds = idsOf(holding);
  const narrowed = { ...caller, organizationIds, ownOrganizationIds: idsOf(holding.filter(({ lent }) => !lent)) };
  if (organization) return { ...narrowed, permissions: permissionsAt(caller, organization) };
  return { ...narrowed, permissions: organizationIds.length > 0 ? [permission] : [] };
}

/** Whether somebody signed in with a second factor that is allowed. One that was verified elsewhere (`mfa`) and a recovery code stand for any. */
export const holdsSecondFactor = (authenticationMethods: readonly string[], allowedMethods: readonly string[]): boolean =>
  authenticationMethods.some((method) => method === 'mfa' || method === 'recovery_code' || allowedMethods.includes(method));
