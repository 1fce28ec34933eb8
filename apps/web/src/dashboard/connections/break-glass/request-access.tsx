import { Alert, Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { api, unwrap } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { choices, t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';

const DEFAULT_DURATION_SECONDS = '3600';

export function openRequestDialog(org: string): void {
  const modalId = modals.open({
    title: t('breakGlass.request'),
    closeButtonProps: { 'aria-label': t('common.close') },
    children: <RequestForm org={org} onClose={() => modals.close(modalId)} />,
  });
}

function RequestForm({ org, onClose }: { org: string; onClose: () => void }) {
  const form = useForm({
    initialValues: { reason: '', duration: DEFAULT_DURATION_SECONDS },
    validate: { reason: (reason) => (reason.trim() ? null : t('breakGlass.reasonMissing')) },
  });
  const send = useApiMutation({
    mutationFn: ({ reason, duration }: { reason: string; duration: string }) => {
      const body = { reason: reason.trim(), durationSeconds: Number(duration) };
      return unwrap(api.POST('/v1/organizations/{org}/break-glass', { params: { path: { org } }, body }));
    },
    invalidates: [['break-glass', org]],
    successMessage: t('breakGlass.sent'),
    onSuccess: onClose,
  });
  const isOpenAlready = send.error instanceof ApiProblem && send.error.code === 'break_glass_open';
  return (
    <form onSubmit={form.onSubmit((fields) => send.mutate(fields))}>
      <Stack>
        <Text size="sm">{t('breakGlass.requestDescription')}</Text>
        <div>
          <Text size="sm" fw={500}>
            {t('breakGlass.role')}
          </Text>
          <Text size="sm">{t('breakGlass.roleName')}</Text>
        </div>
        <Textarea
          label={t('breakGlass.reason')}
          description={t('breakGlass.reasonHint')}
          required
          maxLength={500}
          autosize
          minRows={3}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <Select
          label={t('breakGlass.duration')}
          description={t('breakGlass.durationHint')}
          data={choices('breakGlass.durations')}
          allowDeselect={false}
          {...form.getInputProps('duration')}
        />
        {isOpenAlready && (
          <Alert color="yellow" role="alert">
            {t('breakGlass.openAlready')}
          </Alert>
        )}
        {send.error && !isOpenAlready && <ErrorNotice error={send.error} />}
        <DialogButtons submitLabel={t('breakGlass.send')} isPending={send.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
