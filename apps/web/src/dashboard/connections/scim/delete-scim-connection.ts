import { unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import { type ScimConnection, scimKey, type ScimScope } from './scim-queries';

/** Deletes a connection after the user typed its name. `leave` leaves the page of the connection. */
export function confirmScimDeletion({ client, org }: ScimScope, connection: ScimConnection, leave?: () => Promise<void>): void {
  const { id, name } = connection;
  confirm({
    title: t('scim.deleteTitle', { name }),
    consequences: t('scim.deleteText'),
    confirmLabel: t('scim.delete'),
    typeToConfirm: name,
    isDangerous: true,
    action: async () => {
      await unwrap(client.DELETE('/v1/organizations/{org}/scim-connections/{id}', { params: { path: { org, id } } }));
      await leave?.();
      queryClient.removeQueries({ queryKey: [...scimKey(org), id] });
      await queryClient.invalidateQueries({ queryKey: scimKey(org) });
      notifySuccess(t('scim.deleted', { name }));
    },
  });
}
