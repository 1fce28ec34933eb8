import { t } from '../../texts';
import { ReauthenticationForm } from './reauthentication-form';
import { dialogs } from '../../ui/dialogs';

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
    const dialogId = dialogs.open({
      title: t('account.reauthenticate.title'),
      isDisposable: true,
      onClose: () => resolve(false),
      children: (
        <ReauthenticationForm
          onReauthenticated={() => {
            resolve(true);
            dialogs.close(dialogId);
          }}
        />
      ),
    });
  });
}
