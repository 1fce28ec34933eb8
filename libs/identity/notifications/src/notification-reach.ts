import { type Caller, type Grant, hasPermission } from '#platform/common';
import { type NotificationSource, notificationSources } from '#platform/notification-sources';

/** A permission and an organization in which, and in whose descendants, the caller has it. */
export interface HeldPermission {
  readonly permission: string;
  readonly organizationId: string;
}

/** Marks permissions that the caller must have without break-glass access. No permission begins like this. */
const OWN = 'own ';

/** Returns the names of the permissions that notifications of a source need, in `HeldPermission`. */
export const neededPermissions = ({ permissions, withoutBreakGlass = false }: NotificationSource): readonly string[] =>
  permissions.map((permission) => (withoutBreakGlass ? OWN + permission : permission));

/**
 * Returns the permissions of the caller that notifications need. Permissions of a person add up along the ancestors of an organization, so
 * each permission is listed with its own organizations.
 */
export function heldPermissions(caller: Caller, organizationId?: string): HeldPermission[] {
  const grants = grantsOf(caller, organizationId);
  const needed = new Set(notificationSources().flatMap(([, source]) => neededPermissions(source)));
  return [...needed].flatMap((permission) => {
    const isOwn = permission.startsWith(OWN);
    const name = isOwn ? permission.slice(OWN.length) : permission;
    return grants
      .filter((grant) => !(isOwn && grant.temporary) && hasPermission(grant.permissions, name))
      .map((grant) => ({ permission, organizationId: grant.organizationId }));
  });
}

/** Returns what the caller can do where. Platform keys can do everything in the organization of the request. */
function grantsOf({ grants, organizationIds, permissions }: Caller, organizationId?: string): readonly Grant[] {
  if (grants) return grants;
  const ids = organizationIds ?? (organizationId === undefined ? [] : [organizationId]);
  return ids.map((id) => ({ organizationId: id, permissions }));
}
