import type { Schema } from '../../api/client';
import { findText } from '../../texts';
import { covers } from '../permissions';

export type Permission = Schema<'PermissionResponse'>;

export const ALL_PERMISSIONS = '*';
export const resourceWildcard = (resource: string): string => `${resource}:*`;
export const resourceOf = (permission: string): string => permission.slice(0, permission.indexOf(':'));
export const actionOf = (permission: string): string => permission.slice(permission.indexOf(':') + 1);

/** The format of a permission, or of a pattern for all permissions of a resource, which a role can have and the API can check. */
export const PERMISSION_OR_PATTERN = /^[a-z][a-z0-9_.-]*:(\*|[a-z][a-z0-9_.-]*)$/;

/** Returns the name of a resource of the service, or the namespace of a permission of another application. */
export const resourceName = (resource: string): string => findText(`permissionMatrix.resources.${resource}`) ?? resource;

/** Returns whether a permission or pattern belongs to the service, not to an application of the customer. */
export function isServicePermission(permission: string, servicePermissions: readonly Permission[]): boolean {
  if (permission === ALL_PERMISSIONS) return true;
  return servicePermissions.some(({ name }) => name === permission || permission === resourceWildcard(resourceOf(name)));
}

/** Returns whether a caller can grant a permission or pattern. Requires every permission that the pattern covers. */
export function canGrant(
  ownPermissions: readonly string[],
  permission: string,
  servicePermissions: readonly Permission[],
): boolean {
  if (permission === ALL_PERMISSIONS) return ownPermissions.includes(ALL_PERMISSIONS);
  const covered = servicePermissions.filter(({ name }) => covers([permission], name));
  return covered.every(({ name }) => covers(ownPermissions, name));
}

/** Returns the resources and all their actions, in the order of the API. */
export function permissionGrid(servicePermissions: readonly Pick<Permission, 'name'>[]): {
  resources: readonly string[];
  actions: readonly string[];
} {
  return {
    resources: [...new Set(servicePermissions.map(({ name }) => resourceOf(name)))],
    actions: [...new Set(servicePermissions.map(({ name }) => actionOf(name)))],
  };
}
