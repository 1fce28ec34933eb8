import { notifications } from '@mantine/notifications';
import { t } from '../texts';

/** Shows a success notification for a few seconds. */
export const notifySuccess = (message: string): void =>
  void notifications.show({ color: 'green', message, closeButtonProps: { 'aria-label': t('common.close') } });

/** Shows an error notification until the user closes it. */
export const notifyError = (title: string, error: unknown): void =>
  void notifications.show({
    color: 'red',
    title,
    message: error instanceof Error ? error.message : String(error),
    autoClose: false,
    closeButtonProps: { 'aria-label': t('common.close') },
  });
