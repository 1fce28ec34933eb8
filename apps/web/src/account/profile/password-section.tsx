import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { PasswordField } from '../../ui/password-field';
import { useApiMutation } from '../../ui/use-api-mutation';

export function PasswordSection({ changedAt }: { changedAt: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            {t('account.password.heading')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('account.password.changedAt')} <RelativeTime at={changedAt} />
          </Text>
        </div>
        {!isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('account.password.change')}
          </Button>
        )}
      </Group>
      {isOpen && <PasswordForm onDone={() => setOpen(false)} />}
    </Paper>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', repeated: '' },
    validate: { repeated: (value, { newPassword }) => (value === newPassword ? null : t('account.password.differs')) },
  });
  const change = useApiMutation({
    mutationFn: ({ currentPassword, newPassword }: typeof form.values) =>
      unwrap(api.POST('/v1/auth/change-password', { body: { newPassword, ...(currentPassword ? { currentPassword } : {}) } })),
    invalidates: [['me'], ['own-sessions']],
    successMessage: t('account.password.done'),
    onSuccess: onDone,
  });
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack mt="md">
        <PasswordField
          label={t('account.password.current')}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
        <PasswordField
          label={t('account.password.new')}
          autoComplete="new-password"
          required
          {...form.getInputProps('newPassword')}
        />
        <PasswordField
          label={t('account.password.repeat')}
          autoComplete="new-password"
          required
          {...form.getInputProps('repeated')}
        />
        <Text size="sm" c="dimmed">
          {t('account.password.hint')}
        </Text>
        {change.error && <ErrorNotice error={change.error} />}
        <DialogButtons submitLabel={t('account.password.change')} isPending={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
