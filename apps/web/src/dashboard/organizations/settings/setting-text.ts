import { texts } from '../../../texts';
import type { SettingPath, SettingValue } from './setting-catalogue';

const words = texts.settings;
const UNITS = [
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
  { unit: 'seconds', seconds: 1 },
] as const;

export type DurationUnit = (typeof UNITS)[number]['unit'];

/** How many seconds a unit has. */
export const secondsOf = (unit: DurationUnit): number => UNITS.find((each) => each.unit === unit)!.seconds;

/** The largest unit that divides a time without remainder: 7200 seconds are 2 hours. */
export function unitOf(seconds: number): DurationUnit {
  return UNITS.find((each) => seconds % each.seconds === 0 && (each.unit !== 'days' || seconds > each.seconds))!.unit;
}

/** "24 hours". */
const durationText = (seconds: number): string => {
  const unit = unitOf(seconds);
  const count = seconds / secondsOf(unit);
  return new Intl.NumberFormat('en', { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' }).format(count);
};

/** A setting's value in plain words. `roleNames` are by id. */
export function settingText(path: SettingPath, value: SettingValue, roleNames: ReadonlyMap<string, string>): string {
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (path === 'maxApiKeyLifetime' && value === 0) return words.noLimit;
  if (path === 'sessionTimeout' || path === 'sessionLifetime' || path === 'maxApiKeyLifetime') return durationText(Number(value));
  if (path === 'passwordPolicy.minLength') return words.characters(Number(value));
  if (path === 'passwordPolicy.preventReuse') return words.passwords(Number(value));
  if (path === 'defaultRole') return roleNames.get(String(value)) ?? String(value);
  const list = value as readonly string[];
  if (path === 'mfaMethods') return list.map((method) => words.methods[method as keyof typeof words.methods]).join(', ');
  if (list.length > 0) return list.join(', ');
  return path === 'allowedNetworks' ? words.anyNetwork : words.anyDomain;
}
