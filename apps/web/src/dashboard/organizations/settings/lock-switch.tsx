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
      // The name starts with the visible label (WCAG 2.2, 2.5.3).
      aria-label={`${t('settings.lock.switch')}: ${settingName}`}
      label={t('settings.lock.switch')}
      thumbIcon={<Icon size={10} fill="var(--mantine-color-dark-6)" />}
    />
  );
}
