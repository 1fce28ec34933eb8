import { useQuery } from '@tanstack/react-query';
import { t } from '../../../texts';
import { type ComparedValue, Differences } from '../../as-of/differences';
import { fieldOf, SETTING_GROUPS } from './setting-definitions';
import { settingFieldName, settingText } from './setting-text';
import { type ExplainedSetting, type LoadedSettings, settingsQuery } from './settings-query';

const PATHS = SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ path }) => path));
const FIELDS = [...new Set(PATHS.map(fieldOf))];

interface Props {
  readonly org: string;
  readonly asOf: string;
  /** The settings as of the moment. */
  readonly past: LoadedSettings;
}

/** Lists the settings whose value, source or lock changed since a past moment. */
export function SettingsDifferences({ org, asOf, past }: Props) {
  const { data, error } = useQuery(settingsQuery(org));
  return <Differences asOf={asOf} values={data && comparedValues(past, data)} error={data ? null : error} />;
}

function comparedValues(past: LoadedSettings, present: LoadedSettings): ComparedValue[] {
  const [before, after] = [textsOf(past), textsOf(present)];
  return [...before.keys()].map((label) => ({ label, past: before.get(label)!, present: after.get(label)! }));
}

/** Returns the settings, locks and branding as texts by label. */
function textsOf({ explained, organization, ownLocks, roleNames }: LoadedSettings): Map<string, string> {
  const { branding } = organization;
  return new Map([
    ...PATHS.map((path): [string, string] => {
      const setting = explained.get(path)!;
      return [
        t(`settings.fields.${path}.label`),
        `${settingText(path, setting.value, roleNames)}\n${originText(setting, organization.id)}`,
      ];
    }),
    ...FIELDS.map((field): [string, string] => [
      t('settings.lock.label', { what: settingFieldName(field) }),
      ownLocks.includes(field) ? t('settings.lock.on') : t('settings.lock.off'),
    ]),
    [t('branding.primaryColor'), branding.primaryColor ?? ''],
    [t('branding.logo'), branding.logo ?? ''],
    [t('branding.favicon'), branding.favicon ?? ''],
  ]);
}

function originText({ source, lockedBy }: ExplainedSetting, organizationId: string): string {
  if (lockedBy) return `${t('settings.lockedBy')} ${lockedBy.name}`;
  if (source === 'default') return t('settings.origin.default');
  return source.id === organizationId ? t('settings.origin.own') : `${t('settings.origin.inherited')} ${source.name}`;
}
