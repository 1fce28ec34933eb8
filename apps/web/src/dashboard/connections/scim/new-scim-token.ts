import { t } from '../../../texts';
import { showNewSecret } from '../../../ui/new-secret-dialog';
import type { ScimConnection } from './scim-queries';

/** Shows a new token once. */
export function showNewScimToken({ name }: ScimConnection, token: string): void {
  showNewSecret({
    title: t('scim.token.shownTitle'),
    warning: t('scim.token.shownOnce', { name }),
    secret: { label: t('scim.token.theToken'), value: token },
    confirmLabel: t('scim.token.kept'),
  });
}
