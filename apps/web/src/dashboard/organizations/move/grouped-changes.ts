import { SETTING_GROUPS, type SettingPath } from '../settings/setting-definitions';
import type { Move } from './move-preview';

type MovedSettings = Move['settings'][number];
export type SourcedValue = MovedSettings['changes'][string]['from'];

/** A change of a setting, and the names of the organizations in which it happens. */
export interface GroupedChange {
  readonly key: string;
  readonly path: SettingPath;
  readonly from: SourcedValue;
  readonly to: SourcedValue;
  readonly names: readonly string[];
}

const PATHS = SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ path }) => path));

/** Groups the organizations by equal changes, in the order of the settings page. */
export function groupChanges(organizations: readonly MovedSettings[]): readonly GroupedChange[] {
  const groups = new Map<string, GroupedChange & { names: string[] }>();
  for (const path of PATHS) {
    for (const { name, changes } of organizations) {
      const change = changes[path];
      if (!change) continue;
      const key = JSON.stringify([path, change.from, change.to]);
      const group = groups.get(key);
      if (group) group.names.push(name);
      else groups.set(key, { key, path, from: change.from, to: change.to, names: [name] });
    }
  }
  return [...groups.values()];
}
