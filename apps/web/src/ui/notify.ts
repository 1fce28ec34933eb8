import { notifications } from '@mantine/notifications';
import { t } from '../texts';

/** Says in passing that something worked. */
export const notifySuccess = (message: string): void =>
  void notifications.show({ color: 'green', message, closeButtonProps: { 'aria-label': t('common.close') } });

/** Says that a part of what was asked for did not work; stays until it is closed. */
export const notifyFailure = (title: string, error: unknown): void =>
  void notifications.show({
    color: 'red',
    title,
    message: error instanceof Error ? error.message : String(error),
    autoClose: false,
    closeButtonProps: { 'aria-label': t('common.close') },
  });
