import { modals } from '@mantine/modals';
import { t } from '../../texts';
import { ReauthenticationForm } from './reauthentication-form';

let pending: Promise<boolean> | undefined;

/**
 * Asks the user to authenticate again. Concurrent requests share one dialog. Resolves to false when the user closes the dialog.
 */
export function reauthenticate(): Promise<boolean> {
  pending ??= openDialog().finally(() => {
    pending = undefined;
  });
  return pending;
}

function openDialog(): Promise<boolean> {
  return new Promise((resolve) => {
    const modalId = modals.open({
      title: t('account.reauthenticate.title'),
      closeButtonProps: { 'aria-label': t('common.close') },
      onClose: () => resolve(false),
      children: (
        <ReauthenticationForm
          onReauthenticated={() => {
            resolve(true);
            modals.close(modalId);
          }}
        />
      ),
    });
  });
}
