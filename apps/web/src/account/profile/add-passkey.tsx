import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { passkeyProblem } from '../sign-in/passkey-problem';
import type { OnAdded } from './on-added';
import { useAccountMutation } from './use-account-mutation';

export function AddPasskey({ onAdded }: { onAdded: OnAdded }) {
  const [name, setName] = useState('');
  const registration = useAccountMutation({
    mutationFn: async (passkeyName: string, currentPassword) => {
      const body = currentPassword === undefined ? {} : { currentPassword };
      const { data: options } = await unwrap(api.POST('/v1/auth/mfa/passkeys/options', { body }));
      const credential = await startRegistration({ optionsJSON: options.publicKey as never });
      return unwrap(
        api.POST('/v1/auth/mfa/passkeys', {
          body: { credential: credential as never, ...(passkeyName ? { name: passkeyName } : {}) },
        }),
      );
    },
    invalidates: [['own-mfa'], ['me'], ['session'], ['own-sessions']],
    successMessage: t('account.factors.addedNotice'),
    onSuccess: ({ data }) => onAdded(data.recoveryCodes),
  });
  const register = (event: FormEvent) => {
    event.preventDefault();
    registration.mutate(name.trim());
  };
  if (!browserSupportsWebAuthn()) return <Alert color="yellow">{t('account.factors.passkeyUnsupported')}</Alert>;
  const problem = passkeyProblem(registration.error);
  return (
    <Stack component="form" onSubmit={register}>
      <Text size="sm">{t('account.factors.explained.passkey')}</Text>
      <TextInput
        label={t('account.factors.passkeyName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        data-autofocus
      />
      {problem !== undefined && (
        <Alert color="yellow" role="alert" title={t('account.factors.passkeyNotCreated')}>
          {problem}
        </Alert>
      )}
      {registration.error && problem === undefined && <ErrorNotice error={registration.error} />}
      <Button type="submit" loading={registration.isPending}>
        {t('account.factors.addMethod.passkey')}
      </Button>
    </Stack>
  );
}
