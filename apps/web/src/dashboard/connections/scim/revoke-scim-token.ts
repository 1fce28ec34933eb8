import { unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import { type ScimConnection, type ScimScope, type ScimToken, scimTokensKey } from './scim-queries';

export function confirmTokenRevocation({ client, org }: ScimScope, connection: ScimConnection, { id, name }: ScimToken): void {
  confirm({
    title: t('scim.token.revokeTitle', { name }),
    consequences: t('scim.token.revokeText'),
    confirmLabel: t('scim.token.revoke'),
    isDangerous: true,
    action: async () => {
      const params = { path: { org, connection: connection.id, id } };
      await unwrap(client.DELETE('/v1/organizations/{org}/scim-connections/{connection}/tokens/{id}', { params }));
      await queryClient.invalidateQueries({ queryKey: scimTokensKey(org, connection.id) });
      notifySuccess(t('scim.token.revoked', { name }));
    },
  });
}
