import { Button, Group, Stack, Text } from '@mantine/core';
import { t } from '../texts';
import { dialogs } from './dialogs';

/** Asks whether to discard what the user typed on the page or in a dialog. */
export function confirmDiscarding(where: 'page' | 'dialog'): Promise<boolean> {
  return new Promise((resolve) => {
    const id = dialogs.open({
      title: t('common.unsaved.title'),
      onClose: () => resolve(false),
      children: (
        <Stack>
          <Text size="sm">{where === 'page' ? t('common.unsaved.text') : t('common.unsaved.inDialog')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => dialogs.close(id)} data-autofocus>
              {t('common.unsaved.keep')}
            </Button>
            <Button
              color="red"
              onClick={() => {
                resolve(true);
                dialogs.close(id);
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
