import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../texts';
import classes from './palette.module.css';

const loadPalette = async () => ({ default: (await import('./command-palette')).CommandPalette });
const CommandPalette = lazy(loadPalette);

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search, also with Ctrl-K or Cmd-K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  // A dialog that is open already can have unsaved input.
  const open = () => setOpen(document.querySelector('[role="dialog"]') === null);
  useHotkeys([['mod+K', open]], []);
  // Loaded when the browser has nothing else to do, so that nothing is lost that is typed right after the keys. Safari has no idle callbacks.
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return void loadPalette();
    const handle = requestIdleCallback(() => void loadPalette());
    return () => cancelIdleCallback(handle);
  }, []);
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
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
