import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import { roleName } from '../../../api/role-name';
import { asOfKey } from '../../as-of/as-of-search';
import { type VersionedOrganization, versionedOrganization } from '../versioned-organization';
import { SETTING_GROUPS, type SettingField, type SettingPath, type SettingValue } from './setting-definitions';

/** The effective value of a setting and its origin. */
export interface ExplainedSetting {
  readonly value: SettingValue;
  readonly source: 'default' | Schema<'SettingOriginResponse'>;
  readonly lockedBy?: Schema<'SettingOriginResponse'>;
}

/** The saved settings of an organization. */
export interface LoadedSettings extends VersionedOrganization {
  readonly explained: ReadonlyMap<SettingPath, ExplainedSetting>;
  /** The settings that this organization locks for child organizations. */
  readonly ownLocks: readonly SettingField[];
  readonly roleNames: ReadonlyMap<string, string>;
}

/** Loads all settings of an organization with their origins, now or as of a past moment. */
export const settingsQuery = (org: string, asOf?: string) =>
  queryOptions({
    queryKey: ['organization', org, 'settings', ...asOfKey(asOf)],
    queryFn: async (): Promise<LoadedSettings> => {
      const [versioned, settings, roleNames] = await Promise.all([
        versionedOrganization(org, asOf),
        unwrap(api.GET('/v1/organizations/{org}/settings', { params: { path: { org }, query: { asOf } } })),
        roleNamesOf(org, asOf),
      ]);
      const paths = SETTING_GROUPS.flatMap((group) => group.settings.map(({ path }) => path));
      return {
        ...versioned,
        explained: new Map(paths.map((path) => [path, explainedAt(settings.data, path)])),
        ownLocks: (versioned.organization.lockedSettings ?? []) as SettingField[],
        roleNames,
      };
    },
    // A refetch would discard the unsaved changes.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

function explainedAt(settings: object, path: SettingPath): ExplainedSetting {
  const at = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
  return at as ExplainedSetting;
}

/** Loads the names of roles by id. Callers who can't read roles see the ids instead of names. */
export async function roleNamesOf(org: string, asOf?: string): Promise<ReadonlyMap<string, string>> {
  const call = unwrap(api.GET('/v1/organizations/{org}/roles', { params: { path: { org }, query: { asOf } } }));
  const roles = await call.then(
    ({ data }) => data,
    () => [],
  );
  return new Map(roles.map(({ id, name }) => [id, roleName(name)]));
}
