import { Button, Group } from '@mantine/core';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { type Stream, streamsKey } from './stream-queries';

/** Pauses, enables and deletes a stream. */
export function StreamActions({ stream: { id, status } }: { stream: Stream }) {
  const org = useOrganizationId();
  const canWrite = useHasPermission('ssf_streams:write');
  const path = { org, id };
  const invalidates = [streamsKey(org)];
  const next = status === 'enabled' ? 'paused' : 'enabled';
  const change = useApiMutation({
    mutationFn: () => unwrap(api.PATCH('/v1/organizations/{org}/ssf-streams/{id}', { params: { path }, body: { status: next } })),
    invalidates,
    successMessage: t(`sharedSignals.changed.${next}`),
  });
  const remove = useApiMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/organizations/{org}/ssf-streams/{id}', { params: { path } })),
    invalidates,
    successMessage: t('sharedSignals.deleted'),
  });
  if (!canWrite) return null;
  const openConfirmation = () =>
    confirm({
      title: t('sharedSignals.deleteTitle'),
      consequences: t('sharedSignals.deleteText'),
      confirmLabel: t('sharedSignals.delete'),
      isDangerous: true,
      action: () => remove.mutateAsync(undefined),
    });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" size="xs" loading={change.isPending} onClick={() => change.mutate()}>
        {t(`sharedSignals.actions.${next}`)}
      </Button>
      <Button variant="default" size="xs" onClick={openConfirmation}>
        {t('sharedSignals.delete')}
      </Button>
    </Group>
  );
}
