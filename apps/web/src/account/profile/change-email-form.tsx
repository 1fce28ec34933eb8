import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { notifySuccess } from '../../ui/notify';
import { useAccountMutation } from './use-account-mutation';

/** Requests a change of the email address. The service sends a link to the new address. */
export function ChangeEmailForm({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState('');
  const change = useAccountMutation({
    mutationFn: (address: string, currentPassword) =>
      unwrap(
        api.POST('/v1/auth/me/email', {
          body: { email: address, ...(currentPassword === undefined ? {} : { currentPassword }) },
        }),
      ),
    invalidates: [],
    onSuccess: ({ data }) => {
      notifySuccess(t('account.profile.linkSent', { email: data.email }));
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(email.trim());
  };
  const { fields, rest } = formErrors(change.error, ['email']);
  return (
    <Stack component="form" onSubmit={submit} mt="md">
      <TextInput
        type="email"
        label={t('account.profile.newEmail')}
        description={t('account.profile.changeEmailHint')}
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fields['email']}
        required
        data-autofocus
      />
      {rest !== undefined && <ErrorNotice error={rest} />}
      <DialogButtons submitLabel={t('account.profile.sendLink')} isPending={change.isPending} onCancel={onDone} />
    </Stack>
  );
}
