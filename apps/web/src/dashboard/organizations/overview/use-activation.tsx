import { useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';

/** Activates a suspended or pending organization after a confirmation. */
export function useActivation({ id, name }: Schema<'OrganizationResponse'>): () => void {
  const client = useQueryClient();
  const activate = async () => {
    await unwrap(api.POST('/v1/organizations/{org}/activate', { params: { path: { org: id } } }));
    await Promise.all(['organization', 'organizations'].map((area) => client.invalidateQueries({ queryKey: [area] })));
    notifySuccess(t('organization.activate.done', { name }));
  };
  return () =>
    confirm({
      title: t('organization.activate.title', { name }),
      consequences: t('organization.activate.consequences'),
      confirmLabel: t('common.activate'),
      action: activate,
    });
}
