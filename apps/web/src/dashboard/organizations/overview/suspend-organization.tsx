import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../../api/client';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useChange } from '../../../ui/use-change';

const words = texts.organization.suspend;

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog in which an organization is suspended, with the reason. */
export function SuspendOrganization({ organization: { id, name }, isOpen, onClose }: Props) {
  const [reason, setReason] = useState('');
  const change = useChange({
    run: () => answerOf(api.POST('/v1/organizations/{id}/suspend', { params: { path: { id } }, body: { reason } })),
    outdates: [['organization'], ['organizations']],
    done: words.done(name),
    onDone: onClose,
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.title(name)} closeButtonProps={{ 'aria-label': texts.common.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(undefined);
        }}
      >
        <Stack>
          <Text size="sm">{words.consequences}</Text>
          <Textarea
            label={words.reason}
            description={words.reasonHelp}
            maxLength={500}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {change.error && <ErrorNotice error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.common.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {texts.common.suspend}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
