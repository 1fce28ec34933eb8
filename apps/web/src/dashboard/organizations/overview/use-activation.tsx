import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api/client';
import { texts } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';

const words = texts.organization.activate;

/** Asks, and ends a suspension or approves an organization. */
export function useActivation({ id, name }: Schema<'OrganizationResponse'>): () => void {
  const client = useQueryClient();
  const activate = async () => {
    await answerOf(api.POST('/v1/organizations/{id}/activate', { params: { path: { id } } }));
    await Promise.all(['organization', 'organizations'].map((area) => client.invalidateQueries({ queryKey: [area] })));
    notifySuccess(words.done(name));
  };
  return () =>
    confirm({
      title: words.title(name),
      consequences: words.consequences,
      confirmLabel: texts.common.activate,
      action: activate,
    });
}
