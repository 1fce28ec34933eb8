import { Button, Group, Stack, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { texts } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { ErrorNotice } from '../../../ui/error-notice';
import { notifySuccess } from '../../../ui/notify';
import { useChange } from '../../../ui/use-change';
import type { BreakGlassRequest } from './break-glass-queries';
import { durationText } from './duration-text';

const words = texts.breakGlass;

/** Grants what was asked for. */
export function askToApprove(org: string, { id, requesterEmail, durationSeconds }: BreakGlassRequest): void {
  confirm({
    title: words.approveTitle(requesterEmail),
    consequences: words.approveConsequences(requesterEmail, durationText(durationSeconds)),
    confirmLabel: words.approve,
    action: async () => {
      await answerOf(api.POST('/v1/organizations/{org}/break-glass/{id}/approve', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['break-glass', org] });
      notifySuccess(words.approved(requesterEmail));
    },
  });
}

/** Refuses it, with a reason if there is one to give. */
export function askToDeny(org: string, request: BreakGlassRequest): void {
  const modalId = modals.open({
    title: words.denyTitle(request.requesterEmail),
    closeButtonProps: { 'aria-label': texts.common.close },
    children: <DenialForm org={org} id={request.id} onClose={() => modals.close(modalId)} />,
  });
}

function DenialForm({ org, id, onClose }: { org: string; id: string; onClose: () => void }) {
  const [note, setNote] = useState('');
  const deny = useChange({
    run: () => {
      const body = note.trim() ? { note: note.trim() } : {};
      return answerOf(api.POST('/v1/organizations/{org}/break-glass/{id}/deny', { params: { path: { org, id } }, body }));
    },
    outdates: [['break-glass', org]],
    done: words.denied,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deny.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          label={words.note}
          description={words.noteHint}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
        />
        {deny.error && <ErrorNotice error={deny.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={deny.isPending}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" color="red" loading={deny.isPending}>
            {words.deny}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
