import { SETTING_GROUPS, type SettingGroup, type SettingPath } from '../settings/setting-definitions';
import type { Move } from './move';

type MovedSettings = Move['settings'][number];
export type SourcedValue = MovedSettings['changes'][string]['from'];

/** A change of a setting, and the names of the organizations in which it happens. */
export interface GroupedChange {
  readonly key: string;
  readonly path: SettingPath;
  readonly group: SettingGroup['name'];
  readonly from: SourcedValue;
  readonly to: SourcedValue;
  readonly names: readonly string[];
}

const SETTINGS = SETTING_GROUPS.flatMap(({ name, settings }) => settings.map(({ path }) => ({ group: name, path })));

/** Groups the organizations by equal changes, in the order of the settings page. */
export function groupChanges(organizations: readonly MovedSettings[]): readonly GroupedChange[] {
  const groups = new Map<string, GroupedChange & { names: string[] }>();
  for (const setting of SETTINGS) {
    for (const { name, changes } of organizations) {
      const change = changes[setting.path];
      if (!change) continue;
      const key = JSON.stringify([setting.path, change.from, change.to]);
      const known = groups.get(key);
      if (known) known.names.push(name);
      else groups.set(key, { key, ...setting, from: change.from, to: change.to, names: [name] });
    }
  }
  return [...groups.values()];
}
