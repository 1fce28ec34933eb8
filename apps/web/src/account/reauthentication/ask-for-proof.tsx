import { modals } from '@mantine/modals';
import { t } from '../../texts';
import { ReauthenticationForm } from './reauthentication-form';

let asking: Promise<boolean> | undefined;

/** Asks the user to authenticate again. Concurrent requests share one dialog. Resolves to false when the user closes it. */
export function askForProof(): Promise<boolean> {
  asking ??= openDialog().finally(() => {
    asking = undefined;
  });
  return asking;
}

function openDialog(): Promise<boolean> {
  return new Promise((resolve) => {
    const modalId = modals.open({
      title: t('account.proof.title'),
      closeButtonProps: { 'aria-label': t('common.close') },
      onClose: () => resolve(false),
      children: (
        <ReauthenticationForm
          onProven={() => {
            resolve(true);
            modals.close(modalId);
          }}
        />
      ),
    });
  });
}
