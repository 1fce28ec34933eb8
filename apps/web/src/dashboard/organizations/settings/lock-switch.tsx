import { Switch } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { texts } from '../../../texts';

const words = texts.settings.lock;

interface Props {
  /** What is locked, in words. */
  readonly what: string;
  readonly isLocked: boolean;
  readonly mayChange: boolean;
  readonly onToggle: () => void;
}

/** Whether organizations below may override a setting. */
export function LockSwitch({ what, isLocked, mayChange, onToggle }: Props) {
  const Sign = isLocked ? IconLock : IconLockOpen;
  return (
    <Switch
      size="sm"
      checked={isLocked}
      disabled={!mayChange}
      onChange={onToggle}
      aria-label={words.label(what)}
      label={isLocked ? words.on : words.off}
      thumbIcon={<Sign size={10} aria-hidden color="var(--mantine-color-dark-6)" />}
    />
  );
}
