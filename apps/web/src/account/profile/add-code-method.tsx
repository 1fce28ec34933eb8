import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import type { OnAdded } from './on-added';
import { useAccountMutation } from './use-account-mutation';

type Method = 'email' | 'sms';

/** Adds email or SMS codes as a second factor after the user entered a first code. */
export function AddCodeMethod({ method, onAdded }: { method: Method; onAdded: OnAdded }) {
  const [phoneNumber, setPhoneNumber] = useState('');
  const [sent, setSent] = useState<Schema<'SentCodeResponse'>>();
  const [code, setCode] = useState('');
  const requestCode = useCodeRequest(method, ({ data }) => setSent(data));
  const confirmation = useCodeConfirmation(method, onAdded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sent) confirmation.mutate(code.replaceAll(/\s/g, ''));
    else requestCode.mutate(phoneNumber.trim());
  };
  const error = sent ? confirmation.error : requestCode.error;
  return (
    <Stack component="form" onSubmit={submit}>
      <Text size="sm">{t(`account.factors.explained.${method}`)}</Text>
      {method === 'sms' && !sent && (
        <TextInput
          label={t('account.profile.phoneNumber')}
          type="tel"
          autoComplete="tel"
          value={phoneNumber}
          onChange={(event) => setPhoneNumber(event.currentTarget.value)}
          data-autofocus
          required
        />
      )}
      {sent && (
        <>
          <Text size="sm" role="status">
            {t('account.codes.sentTo', { destination: sent.destination })}
          </Text>
          <TextInput
            label={t('account.codes.code')}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        </>
      )}
      {error && <ErrorNotice error={error} />}
      <Button type="submit" loading={requestCode.isPending || confirmation.isPending}>
        {sent ? t('account.totp.confirm') : t('account.codes.send')}
      </Button>
    </Stack>
  );
}

function useCodeRequest(method: Method, onDone: (response: { data: Schema<'SentCodeResponse'> }) => void) {
  return useAccountMutation({
    mutationFn: (phoneNumber: string, currentPassword) => {
      const proof = currentPassword === undefined ? {} : { currentPassword };
      return method === 'email'
        ? unwrap(api.POST('/v1/auth/mfa/email', { body: proof }))
        : unwrap(api.POST('/v1/auth/mfa/sms', { body: { phoneNumber, ...proof } }));
    },
    invalidates: [],
    onSuccess: onDone,
  });
}

function useCodeConfirmation(method: Method, onAdded: OnAdded) {
  return useAccountMutation({
    mutationFn: (code: string) =>
      unwrap(
        method === 'email'
          ? api.POST('/v1/auth/mfa/email/confirm', { body: { code } })
          : api.POST('/v1/auth/mfa/sms/confirm', { body: { code } }),
      ),
    invalidates: [['own-mfa'], ['me'], ['session'], ['own-sessions']],
    successMessage: t('account.factors.addedNotice'),
    onSuccess: ({ data }) => onAdded(data.recoveryCodes),
  });
}
