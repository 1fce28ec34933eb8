import { Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { notifySuccess } from '../../../ui/notify';
import { useApiMutation } from '../../../ui/use-api-mutation';
import type { BreakGlassRequest } from './break-glass-queries';
import { durationText } from './duration-text';
import { dialogs } from '../../../ui/dialogs';

/** Approves a request after a confirmation. */
export function confirmApproval(org: string, { id, requesterEmail, durationSeconds }: BreakGlassRequest): void {
  confirm({
    title: t('breakGlass.approveTitle', { who: requesterEmail }),
    consequences: t('breakGlass.approveConsequences', { who: requesterEmail, duration: durationText(durationSeconds) }),
    confirmLabel: t('breakGlass.approve'),
    action: async () => {
      await unwrap(api.POST('/v1/organizations/{org}/break-glass/{id}/approve', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['break-glass', org] });
      notifySuccess(t('breakGlass.approved', { who: requesterEmail }));
    },
  });
}

/** Opens the dialog that denies a request with an optional note. */
export function openDenyDialog(org: string, request: BreakGlassRequest): void {
  const dialogId = dialogs.open({
    title: t('breakGlass.denyTitle', { who: request.requesterEmail }),
    children: <DenialForm org={org} id={request.id} onClose={() => dialogs.close(dialogId)} />,
  });
}

function DenialForm({ org, id, onClose }: { org: string; id: string; onClose: () => void }) {
  const [note, setNote] = useState('');
  const deny = useApiMutation({
    mutationFn: () => {
      const body = note.trim() ? { note: note.trim() } : {};
      return unwrap(api.POST('/v1/organizations/{org}/break-glass/{id}/deny', { params: { path: { org, id } }, body }));
    },
    invalidates: [['break-glass', org]],
    successMessage: t('breakGlass.denied'),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deny.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          label={t('breakGlass.note')}
          description={t('breakGlass.noteHint')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
        />
        {deny.error && <ErrorNotice error={deny.error} />}
        <DialogButtons submitLabel={t('breakGlass.deny')} isPending={deny.isPending} isDangerous onCancel={onClose} />
      </Stack>
    </form>
  );
}
