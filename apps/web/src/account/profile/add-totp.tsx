import { Button, Center, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { CopyField } from '../../ui/copy-field';
import { ErrorNotice } from '../../ui/error-notice';
import type { OnAdded } from './on-added';
import { useAccountMutation } from './use-account-mutation';

const QR_SIZE = 200;

/** Shows the secret for an authenticator app and adds the app after the user entered a first code. */
export function AddTotp({ onAdded }: { onAdded: OnAdded }) {
  const [setUp, setSetUp] = useState<Schema<'TotpSetUpResponse'>>();
  const [code, setCode] = useState('');
  const isRequested = useRef(false);
  const requestSecret = useAccountMutation({
    mutationFn: (_: void, currentPassword) =>
      unwrap(api.POST('/v1/auth/mfa/totp', { body: currentPassword === undefined ? {} : { currentPassword } })),
    invalidates: [],
    onSuccess: ({ data }) => setSetUp(data),
  });
  const confirmation = useAccountMutation({
    mutationFn: (enteredCode: string) => unwrap(api.POST('/v1/auth/mfa/totp/confirm', { body: { code: enteredCode } })),
    invalidates: [['own-mfa'], ['me'], ['session'], ['own-sessions']],
    successMessage: t('account.factors.addedNotice'),
    onSuccess: ({ data }) => onAdded(data.recoveryCodes),
  });
  const { mutate } = requestSecret;
  useEffect(() => {
    // React's strict mode runs effects twice, and each call creates another secret.
    if (isRequested.current) return;
    isRequested.current = true;
    mutate();
  }, [mutate]);

  const confirmCode = (event: FormEvent) => {
    event.preventDefault();
    confirmation.mutate(code.replaceAll(/\s/g, ''));
  };
  if (requestSecret.error) return <ErrorNotice error={requestSecret.error} onRetry={() => requestSecret.mutate()} />;
  if (!setUp) return <Skeleton h={260} />;
  return (
    <Stack component="form" onSubmit={confirmCode}>
      <Text size="sm">{t('account.totp.scan')}</Text>
      <Center bg="white" p="md">
        <QRCodeSVG value={setUp.uri} size={QR_SIZE} role="img" aria-label={t('account.totp.qrLabel')} />
      </Center>
      <div>
        <Text size="sm">{t('account.totp.typeIn')}</Text>
        <CopyField value={setUp.secret} label={t('account.totp.setupKey')} />
      </div>
      <TextInput
        label={t('account.totp.code')}
        description={t('account.totp.expires')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        required
      />
      {confirmation.error && <ErrorNotice error={confirmation.error} />}
      <Button type="submit" loading={confirmation.isPending}>
        {t('account.totp.confirm')}
      </Button>
    </Stack>
  );
}
