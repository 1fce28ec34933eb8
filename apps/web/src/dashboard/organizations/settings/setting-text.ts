import { formatNumber, type KeyUnder, t } from '../../../texts';
import { languageName } from '../../../ui/language-select';
import type { SettingField, SettingPath, SettingValue } from './setting-definitions';

const UNITS = [
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
  { unit: 'seconds', seconds: 1 },
] as const;

export type DurationUnit = (typeof UNITS)[number]['unit'];

export const secondsOf = (unit: DurationUnit): number => UNITS.find((each) => each.unit === unit)!.seconds;

/** Returns the largest unit without a remainder: hours for 7200 seconds. */
export function unitOf(seconds: number): DurationUnit {
  return UNITS.find((each) => seconds % each.seconds === 0 && (each.unit !== 'days' || seconds > each.seconds))!.unit;
}

const durationText = (seconds: number): string => {
  const unit = unitOf(seconds);
  const count = seconds / secondsOf(unit);
  return formatNumber(count, { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' });
};

/** Returns the name of a setting. The password policy has one name, because it has a single lock. */
export const settingFieldName = (field: SettingField): string =>
  field === 'passwordPolicy' ? t('settings.lock.lockAll') : t(`settings.fields.${field}.label`);

/** Formats the value of a setting. `roleNames` maps ids to names. */
export function settingText(path: SettingPath, value: SettingValue, roleNames: ReadonlyMap<string, string>): string {
  if (typeof value === 'boolean') return value ? t('settings.on') : t('settings.off');
  if (path === 'maxApiKeyLifetime' && value === 0) return t('settings.noLimit');
  if (path === 'sessionTimeout' || path === 'sessionLifetime' || path === 'maxApiKeyLifetime') return durationText(Number(value));
  if (path === 'passwordPolicy.minLength') return t('settings.characters', { count: Number(value) });
  if (path === 'passwordPolicy.preventReuse') return t('settings.passwords', { count: Number(value) });
  if (path === 'impersonationApproval') return t(`settings.approvals.${value as KeyUnder<'settings.approvals'>}`);
  if (path === 'defaultLocale') return languageName(String(value));
  if (path === 'defaultRole') return roleNames.get(String(value)) ?? String(value);
  if (path === 'applicationApproval')
    return t(`settings.applicationApprovals.${value as KeyUnder<'settings.applicationApprovals'>}`);
  const list = value as readonly string[];
  if (path === 'mfaMethods')
    return list.map((method) => t(`settings.methods.${method as KeyUnder<'settings.methods'>}`)).join(', ');
  if (list.length > 0) return list.join(', ');
  if (path === 'clientIdMetadataDomains') return t('settings.noDomain');
  return path === 'allowedNetworks' ? t('settings.anyNetwork') : t('settings.anyDomain');
}
