import { unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { openRotationDialog } from '../rotation-dialog';
import { showNewScimToken } from './new-scim-token';
import { type ScimConnection, type ScimScope, type ScimToken, scimTokensKey } from './scim-queries';

/** Rotates a token, and shows the new token. */
export function openRotateScimTokenDialog({ client, org }: ScimScope, connection: ScimConnection, { id, name }: ScimToken): void {
  openRotationDialog({
    title: t('scim.token.rotateTitle', { name }),
    consequences: t('scim.token.rotateText'),
    overlapLabel: t('scim.token.overlap'),
    submitLabel: t('scim.token.rotate'),
    rotate: async (expiresInSeconds) => {
      const params = { path: { org, connection: connection.id, id } };
      const path = '/v1/organizations/{org}/scim-connections/{connection}/tokens/{id}/rotate';
      return (await unwrap(client.POST(path, { params, body: { expiresInSeconds } }))).data;
    },
    invalidates: scimTokensKey(org, connection.id),
    onRotated: ({ token }) => showNewScimToken(connection, token),
  });
}
