import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { texts } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { Moment } from '../../ui/moment';
import { useChange } from '../../ui/use-change';

const words = texts.account.password;

/** When the password was changed last, and the form that changes it. */
export function PasswordSection({ changedAt }: { changedAt: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            {words.heading}
          </Title>
          <Text size="sm" c="dimmed">
            {words.changedAt} <Moment at={changedAt} />
          </Text>
        </div>
        {!isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {words.change}
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
    validate: { repeated: (value, { newPassword }) => (value === newPassword ? null : words.differs) },
  });
  const change = useChange({
    run: ({ currentPassword, newPassword }: typeof form.values) =>
      answerOf(api.POST('/v1/auth/change-password', { body: { newPassword, ...(currentPassword ? { currentPassword } : {}) } })),
    outdates: [['me'], ['own-sessions']],
    done: words.done,
    onDone,
  });
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack mt="md">
        <PasswordInput
          label={words.current}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput label={words.new} autoComplete="new-password" required {...form.getInputProps('newPassword')} />
        <PasswordInput label={words.repeat} autoComplete="new-password" required {...form.getInputProps('repeated')} />
        <Text size="sm" c="dimmed">
          {words.hint}
        </Text>
        {change.error && <ErrorNotice error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {words.change}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
