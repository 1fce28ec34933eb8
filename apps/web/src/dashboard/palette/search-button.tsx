import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { t } from '../../texts';
import { CommandPalette } from './command-palette';
import classes from './palette.module.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search, also with Ctrl-K or Cmd-K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  // A dialog that is open already can have unsaved input.
  const open = () => setOpen(document.querySelector('[role="dialog"]') === null);
  useHotkeys([['mod+K', open]], []);
  const common = {
    onClick: open,
    variant: 'default',
    'aria-haspopup': 'dialog',
    'aria-keyshortcuts': 'Control+K Meta+K',
  } as const;
  return (
    <>
      <Button
        {...common}
        visibleFrom="sm"
        className={classes['opener']}
        fw={400}
        c="dimmed"
        leftSection={<SearchIcon size={16} />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {isMac ? '⌘ K' : t('palette.keys')}
          </Kbd>
        }
      >
        {t('palette.open')}
      </Button>
      <ActionIcon {...common} hiddenFrom="sm" size="lg" aria-label={t('palette.open')}>
        <SearchIcon size={18} />
      </ActionIcon>
      {isOpen && <CommandPalette onClose={() => setOpen(false)} />}
    </>
  );
}
