import { notifications } from '@mantine/notifications';
import { texts } from '../texts';

/** Says in passing that something worked. */
export const notifySuccess = (message: string): void =>
  void notifications.show({ color: 'green', message, closeButtonProps: { 'aria-label': texts.common.close } });
