import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { t } from '../texts';

interface Location {
  readonly pathname: string;
  readonly search: object;
}

/** The parameters of the URL that replace the form of a page. Other parameters, such as filters, keep it. */
const REPLACING_PARAMETERS = ['tab', 'asOf'];

let isSaved = false;

/** Runs what follows a successful save. A navigation in it asks nothing. */
export function afterSaving(run: () => void): void {
  isSaved = true;
  try {
    run();
  } finally {
    isSaved = false;
  }
}

/** Asks before the user leaves a form with unsaved changes, also when the user closes the tab. */
export function useUnsavedChanges(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => !isSaved && isOtherForm(current, next) && !(await confirmDiscarding()),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });
}

const isOtherForm = (current: Location, next: Location): boolean =>
  current.pathname !== next.pathname || REPLACING_PARAMETERS.some((name) => valueOf(current, name) !== valueOf(next, name));

const valueOf = ({ search }: Location, name: string): unknown => (search as Record<string, unknown>)[name];

function confirmDiscarding(): Promise<boolean> {
  return new Promise((resolve) => {
    const modalId = modals.open({
      title: t('common.unsaved.title'),
      closeButtonProps: { 'aria-label': t('common.close') },
      onClose: () => resolve(false),
      children: (
        <Stack>
          <Text size="sm">{t('common.unsaved.text')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => modals.close(modalId)} data-autofocus>
              {t('common.unsaved.keep')}
            </Button>
            <Button
              color="red"
              onClick={() => {
                resolve(true);
                modals.close(modalId);
              }}
            >
              {t('common.unsaved.discard')}
            </Button>
          </Group>
        </Stack>
      ),
    });
  });
}
