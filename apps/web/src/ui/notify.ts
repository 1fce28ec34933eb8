import { notifications } from '@mantine/notifications';

/** Says in passing that something worked. */
export const notifySuccess = (message: string): void => void notifications.show({ color: 'green', message });
