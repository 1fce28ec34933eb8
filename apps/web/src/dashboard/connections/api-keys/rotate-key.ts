import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { openRotationDialog } from '../rotation-dialog';
import { showNewKey } from './new-key-dialog';

/** Rotates a key, and shows the new key. */
export function openRotateKeyDialog(org: string, { id, name }: Schema<'ApiKeyResponse'>): void {
  openRotationDialog({
    title: t('apiKeys.rotateTitle', { name }),
    consequences: t('apiKeys.rotateConsequences'),
    overlapLabel: t('apiKeys.overlap'),
    submitLabel: t('apiKeys.rotate'),
    rotate: async (expiresInSeconds) => {
      const params = { path: { org, id } };
      const call = api.POST('/v1/organizations/{org}/api-keys/{id}/rotate', { params, body: { expiresInSeconds } });
      return (await unwrap(call)).data;
    },
    invalidates: ['api-keys', org],
    onRotated: (created) => showNewKey(org, created),
  });
}
