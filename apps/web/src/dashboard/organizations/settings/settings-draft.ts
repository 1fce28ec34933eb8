import { useState } from 'react';
import type { Schema } from '../../../api/client';
import { fieldOf, type SettingField, type SettingPath, type SettingValue } from './setting-definitions';
import type { LoadedSettings } from './settings-query';

export interface SettingsDraft {
  /** `null` inherits the value. */
  readonly values: ReadonlyMap<SettingPath, SettingValue | null>;
  /** The settings to lock for child organizations. */
  readonly locks: readonly SettingField[];
}

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Manages the draft of the settings. A value equal to the saved value is not a change. */
export function useSettingsDraft({ explained, ownLocks, organization }: LoadedSettings) {
  const [values, setValues] = useState<SettingsDraft['values']>(new Map());
  const [locks, setLocks] = useState(ownLocks);
  const setValue = (path: SettingPath, value: SettingValue | null | undefined) => {
    const next = new Map(values);
    const before = explained.get(path)!;
    const isOwn = before.source !== 'default' && before.source.id === organization.id;
    const isUnchanged = value === undefined || (isOwn ? equal(value, before.value) : value === null);
    if (isUnchanged) next.delete(path);
    else next.set(path, value);
    setValues(next);
  };
  const toggleLock = (field: SettingField) =>
    setLocks(locks.includes(field) ? locks.filter((each) => each !== field) : [...locks, field]);
  const locked = locks.filter((field) => !ownLocks.includes(field));
  const unlocked = ownLocks.filter((field) => !locks.includes(field));
  const discard = () => {
    setValues(new Map());
    setLocks(ownLocks);
  };
  return {
    draft: { values, locks },
    locked,
    unlocked,
    changeCount: values.size + locked.length + unlocked.length,
    setValue,
    toggleLock,
    discard,
  };
}

/** Returns the request body for the preview and for the update. */
export function settingsRequest(
  { values, locks }: SettingsDraft,
  ownLocks: readonly SettingField[],
): Pick<Schema<'UpdateOrganizationRequest'>, 'settings' | 'lockedSettings'> {
  const settings: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const field = fieldOf(path);
    const part = path.split('.')[1];
    if (part === undefined) settings[field] = value;
    else settings[field] = { ...(settings[field] as object | undefined), [part]: value };
  }
  const areLocksChanged = !equal([...locks].sort(), [...ownLocks].sort());
  return {
    ...(values.size > 0 && { settings: settings }),
    ...(areLocksChanged && { lockedSettings: [...locks] }),
  };
}
