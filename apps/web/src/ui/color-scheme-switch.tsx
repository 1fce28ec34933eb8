import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { MoonIcon, SunIcon } from '@primer/octicons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { t } from '../texts';

/** Loaded on the first hover, because the tooltip is a fifth of the code of the sign-in pages. */
const Tooltip = lazy(async () => ({ default: (await import('./tooltip')).Tooltip }));

/** Switches between light and dark mode. The default is the setting of the device. */
export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const button = useRef<HTMLButtonElement>(null);
  const [mouse, setMouse] = useState<'over' | 'gone'>();
  return (
    <>
      <ActionIcon
        ref={button}
        variant="default"
        size="lg"
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setMouse('over')}
        onPointerLeave={() => setMouse((before) => before && 'gone')}
        aria-label={t('common.colorScheme')}
      >
        {scheme === 'dark' ? <SunIcon size={18} /> : <MoonIcon size={18} />}
      </ActionIcon>
      {mouse && (
        <Suspense fallback={null}>
          <Tooltip target={button} label={t('common.colorScheme')} defaultOpened={mouse === 'over'} />
        </Suspense>
      )}
    </>
  );
}
