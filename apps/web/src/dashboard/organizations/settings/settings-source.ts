import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api/client';
import { type VersionedOrganization, versionedOrganization } from '../versioned-organization';
import { SETTING_GROUPS, type SettingField, type SettingPath, type SettingValue } from './setting-catalogue';

/** A setting's value in force, and why it has it. */
export interface ExplainedSetting {
  readonly value: SettingValue;
  readonly source: 'default' | Schema<'SettingOriginResponse'>;
  readonly lockedBy?: Schema<'SettingOriginResponse'>;
}

/** The settings of an organization as they were read. */
export interface SettingsRead extends VersionedOrganization {
  readonly explained: ReadonlyMap<SettingPath, ExplainedSetting>;
  /** What organizations below may not override, because of this one. */
  readonly ownLocks: readonly SettingField[];
  readonly roleNames: ReadonlyMap<string, string>;
}

/** All settings of an organization with where they come from. */
export const settingsQuery = (org: string) =>
  queryOptions({
    queryKey: ['organization', org, 'settings'],
    queryFn: async (): Promise<SettingsRead> => {
      const [versioned, settings, roleNames] = await Promise.all([
        versionedOrganization(org),
        answerOf(api.GET('/v1/organizations/{org}/settings', { params: { path: { org } } })),
        roleNamesOf(org),
      ]);
      const paths = SETTING_GROUPS.flatMap((group) => group.settings.map(({ path }) => path));
      return {
        ...versioned,
        explained: new Map(paths.map((path) => [path, explainedAt(settings.data, path)])),
        ownLocks: (versioned.organization.lockedSettings ?? []) as SettingField[],
        roleNames,
      };
    },
    // What was entered and not saved would be lost.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

function explainedAt(settings: object, path: SettingPath): ExplainedSetting {
  const at = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
  return at as ExplainedSetting;
}

/** Who may not see roles sees their ids. */
async function roleNamesOf(org: string): Promise<ReadonlyMap<string, string>> {
  const call = answerOf(api.GET('/v1/organizations/{org}/roles', { params: { path: { org } } }));
  const roles = await call.then(
    ({ data }) => data,
    () => [],
  );
  return new Map(roles.map(({ id, name }) => [id, name]));
}
