import { t } from '../../texts';
import { showNewSecret } from '../../ui/new-secret-dialog';

/** Shows the secret of an application once, together with the client ID. */
export function showNewClientSecret(clientId: string, secret: string): void {
  showNewSecret({
    title: t('applications.secrets.shownTitle'),
    warning: t('applications.secrets.shownOnce'),
    secret: { label: t('applications.secret'), value: secret },
    command: { label: t('applications.clientId'), value: clientId },
    confirmLabel: t('applications.secrets.kept'),
  });
}
