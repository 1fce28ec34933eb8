import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { Dialog } from '../../../ui/dialog';

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SuspendOrganization({ organization: { id, name }, isOpen, onClose }: Props) {
  const [reason, setReason] = useState('');
  const change = useApiMutation({
    mutationFn: () => unwrap(api.POST('/v1/organizations/{org}/suspend', { params: { path: { org: id } }, body: { reason } })),
    invalidates: [['organization'], ['organizations']],
    successMessage: t('organization.suspend.done', { name }),
    onSuccess: onClose,
  });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('organization.suspend.title', { name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(undefined);
        }}
      >
        <Stack>
          <Text size="sm">{t('organization.suspend.consequences')}</Text>
          <Textarea
            label={t('organization.suspend.reason')}
            description={t('organization.suspend.reasonHelp')}
            maxLength={500}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {change.error && <ErrorNotice error={change.error} />}
          <DialogButtons submitLabel={t('common.suspend')} isPending={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
