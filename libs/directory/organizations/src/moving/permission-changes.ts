import { hasPermission } from '#platform/common';
import type { InheritedGrant, PermissionHolder } from './organization-inheritance.js';

/** The permissions that a user or an API key gains or loses in a moved organization. */
export interface PermissionChange {
  readonly holder: PermissionHolder;
  readonly permissions: readonly string[];
  /** The grants with these permissions. */
  readonly grants: readonly InheritedGrant[];
}

export interface PermissionChanges {
  readonly gained: readonly PermissionChange[];
  readonly lost: readonly PermissionChange[];
}

/**
 * Returns the effective permissions that change when an organization leaves some ancestors and joins others, by user and API key. `grants`
 * are the grants in the organization itself and in its previous and new ancestors.
 */
export function permissionChanges(
  grants: readonly InheritedGrant[],
  { left, joined }: { readonly left: readonly string[]; readonly joined: readonly string[] },
): PermissionChanges {
  return { gained: changesIn(grants, joined), lost: changesIn(grants, left) };
}

function changesIn(grants: readonly InheritedGrant[], organizationIds: readonly string[]): PermissionChange[] {
  const byHolder = new Map<string, { changing: InheritedGrant[]; others: InheritedGrant[] }>();
  for (const grant of grants) {
    const ofHolder = byHolder.get(grant.holder.id) ?? { changing: [], others: [] };
    byHolder.set(grant.holder.id, ofHolder);
    (organizationIds.includes(grant.organizationId) ? ofHolder.changing : ofHolder.others).push(grant);
  }
  return [...byHolder.values()]
    .flatMap(({ changing, others }) => changeOf(changing, others))
    .toSorted((a, b) => (a.holder.id < b.holder.id ? -1 : 1));
}

/** Returns the permissions of the changing grants that the other grants don't cover, as an empty or one-element list. */
function changeOf(changing: readonly InheritedGrant[], others: readonly InheritedGrant[]): PermissionChange[] {
  const [first] = changing;
  if (!first) return [];
  const held = others.flatMap(({ permissions }) => permissions);
  const isNew = (permission: string): boolean => !hasPermission(held, permission);
  const grants = changing.filter(({ permissions }) => permissions.some(isNew));
  const permissions = [...new Set(grants.flatMap((grant) => grant.permissions.filter(isNew)))].toSorted();
  return grants.length > 0 ? [{ holder: first.holder, permissions, grants }] : [];
}
