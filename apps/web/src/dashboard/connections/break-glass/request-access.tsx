import { Alert, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, unwrap } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { type ReasonAndDuration, reasonAndDuration, ReasonAndDurationFields } from '../reason-and-duration';
import { dialogs } from '../../../ui/dialogs';

const DEFAULT_DURATION_SECONDS = '3600';

export function openRequestDialog(org: string): void {
  const dialogId = dialogs.open({
    title: t('breakGlass.request'),
    children: <RequestForm org={org} onClose={() => dialogs.close(dialogId)} />,
  });
}

function RequestForm({ org, onClose }: { org: string; onClose: () => void }) {
  const form = useForm(reasonAndDuration(DEFAULT_DURATION_SECONDS));
  const send = useApiMutation({
    mutationFn: ({ reason, duration }: ReasonAndDuration) => {
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
        <ReasonAndDurationFields
          form={form}
          durations="breakGlass.durations"
          reasonHint={t('breakGlass.reasonHint')}
          durationHint={t('breakGlass.durationHint')}
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
