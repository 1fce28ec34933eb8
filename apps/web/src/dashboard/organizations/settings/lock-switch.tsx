import { Switch } from '@mantine/core';
import { LockIcon, UnlockIcon } from '@primer/octicons-react';
import { t } from '../../../texts';

interface Props {
  /** The name of the setting. */
  readonly what: string;
  readonly isLocked: boolean;
  readonly canChange: boolean;
  readonly onToggle: () => void;
}

/** Locks a setting for child organizations. */
export function LockSwitch({ what, isLocked, canChange, onToggle }: Props) {
  const Icon = isLocked ? LockIcon : UnlockIcon;
  return (
    <Switch
      size="sm"
      checked={isLocked}
      disabled={!canChange}
      onChange={onToggle}
      aria-label={t('settings.lock.label', { what })}
      label={isLocked ? t('settings.lock.on') : t('settings.lock.off')}
      thumbIcon={<Icon size={10} fill="var(--mantine-color-dark-6)" />}
    />
  );
}
