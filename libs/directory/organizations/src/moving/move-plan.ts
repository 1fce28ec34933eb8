import type { OrganizationScope } from '#platform/common';
import type { Organization } from '../organization.entity.js';
import type { NoncompliantUsers } from '../settings/settings-preview.query.js';
import type { SettingsEffect } from '../settings/setting-effects.service.js';
import type { OrganizationSettings, SettingField, SettingSource } from '../settings/settings.js';
import type { InheritedWebhook } from './organization-inheritance.js';
import type { PermissionChanges } from './permission-changes.js';

export interface OrganizationRef {
  readonly id: string;
  readonly name: string;
}

/** The previous and the new position of an organization in the tree of its tenant. */
export interface MovePath {
  readonly organization: Organization;
  readonly parent: OrganizationScope;
  readonly previousParent: OrganizationRef;
  /** Ids of the new ancestors, from the root organization to the new parent. */
  readonly ancestorIds: readonly string[];
  /** Ids of the previous ancestors that are not ancestors any more. */
  readonly left: readonly string[];
  /** Ids of the ancestors that are new. */
  readonly joined: readonly string[];
}

/** An effective value and the organization that sets it, or `default`. */
export interface SourcedValue {
  readonly value: unknown;
  readonly source: SettingSource;
}

/** An organization whose effective settings change. */
export interface ChangedSettings extends OrganizationRef {
  /** By field. Fields of the password policy are named `passwordPolicy.minLength` and so on. */
  readonly changes: Readonly<Record<string, { readonly from: SourcedValue; readonly to: SourcedValue }>>;
  readonly userCount: number;
  readonly usersOutOfLine: NoncompliantUsers;
}

/** The topmost ancestor that locks a setting, before and after the move. Null: no ancestor locks the setting. */
export interface LockChange {
  readonly setting: SettingField;
  readonly from: OrganizationRef | null;
  readonly to: OrganizationRef | null;
}

/** The effects of a move. The preview and the move compute the plan with the same code. */
export interface MovePlan extends MovePath {
  readonly organizationCount: number;
  readonly userCount: number;
  /** Number of levels of the tree down to the deepest moved organization, before and after the move. */
  readonly depth: { readonly from: number; readonly to: number; readonly limit: number };
  /** The effective settings of the moved organization itself. */
  readonly ownSettings: { readonly from: OrganizationSettings; readonly to: OrganizationSettings };
  readonly settings: readonly ChangedSettings[];
  /** The settings that apply before and after the move, of the organizations in which they change. */
  readonly settingsEffects: readonly SettingsEffect[];
  /** The moved organizations to which `ssoRequired` applies after the move, with their new ancestors. */
  readonly ssoRequiredIn: readonly (OrganizationRef & Pick<OrganizationScope, 'ancestorIds'>)[];
  readonly locks: readonly LockChange[];
  readonly permissions: PermissionChanges;
  readonly webhooks: { readonly gained: readonly InheritedWebhook[]; readonly lost: readonly InheritedWebhook[] };
  /** Previous ancestors that suspended an organization of the subtree. */
  readonly leftSuspenders: readonly string[];
  /** Names of the previous and new ancestors, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Returns whether the move changes nothing, because the parent stays the same. */
export const isUnchanged = ({ organization, parent }: MovePath): boolean => organization.parentId === parent.id;

/** Returns the chain of ancestors of the previous or new ancestor `id`, for permission checks. */
export function ancestorPath(
  { organization, ancestorIds }: MovePath,
  id: string,
): { readonly id: string; readonly ancestorIds: readonly string[] } {
  const chain = organization.ancestorIds.includes(id) ? organization.ancestorIds : ancestorIds;
  return { id, ancestorIds: chain.slice(0, chain.indexOf(id)) };
}
