import { Switch } from '@mantine/core';
import { LockIcon, UnlockIcon } from '@primer/octicons-react';
import { t } from '../../../texts';

interface Props {
  /** The name of the setting. */
  readonly what: string;
  readonly isLocked: boolean;
  readonly mayChange: boolean;
  readonly onToggle: () => void;
}

/** Locks a setting for child organizations. */
export function LockSwitch({ what, isLocked, mayChange, onToggle }: Props) {
  const Sign = isLocked ? LockIcon : UnlockIcon;
  return (
    <Switch
      size="sm"
      checked={isLocked}
      disabled={!mayChange}
      onChange={onToggle}
      aria-label={t('settings.lock.label', { what })}
      label={isLocked ? t('settings.lock.on') : t('settings.lock.off')}
      thumbIcon={<Sign size={10} fill="var(--mantine-color-dark-6)" />}
    />
  );
}
