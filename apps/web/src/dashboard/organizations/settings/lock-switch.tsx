import { Switch } from '@mantine/core';
import { LockIcon, UnlockIcon } from '@primer/octicons-react';
import { t } from '../../../texts';

interface Props {
  readonly settingName: string;
  readonly isLocked: boolean;
  readonly canChange: boolean;
  readonly onToggle: () => void;
}

export function LockSwitch({ settingName, isLocked, canChange, onToggle }: Props) {
  const Icon = isLocked ? LockIcon : UnlockIcon;
  return (
    <Switch
      size="sm"
      checked={isLocked}
      disabled={!canChange}
      onChange={onToggle}
      aria-label={t('settings.lock.label', { what: settingName })}
      label={isLocked ? t('settings.lock.on') : t('settings.lock.off')}
      thumbIcon={<Icon size={10} fill="var(--mantine-color-dark-6)" />}
    />
  );
}
