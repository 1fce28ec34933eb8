import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { usePageSearch } from '../open-page';
import { PrimaryButton } from '../primary-button';
import { SignInLayout } from '../sign-in-layout';
import { SignInNotice } from '../sign-in-notice';
import { useSignInStep } from '../use-sign-in-step';
import { type OpenDevice, openDevice } from './device-request';

/** Asks for the code that a device shows. A code in the address is only filled in, because a link is no proof of the device. */
export function EnterCode({ onOpen }: { readonly onOpen: (device: OpenDevice) => void }) {
  const { userCode: linked = '' } = usePageSearch();
  const [code, setCode] = useState(linked);
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const step = useSignInStep(openDevice, (device) => device && onOpen(device));
  const isWrong = step.error instanceof ApiProblem && step.error.code === 'oauth_device_request_not_found';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() === '') field.current?.focus();
    else step.start(code.trim());
  };
  return (
    <SignInLayout title={t('signIn.device.title')} description={t('signIn.device.text')}>
      {step.error && <SignInNotice error={step.error} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            ref={field}
            label={t('signIn.device.code')}
            placeholder="XXXX-XXXX"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            size="md"
            maxLength={32}
            required
            withAsterisk={false}
            autoFocus
            value={code}
            error={isMissing ? t('signIn.device.codeMissing') : isWrong}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <PrimaryButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {t('signIn.device.continue')}
          </PrimaryButton>
        </Stack>
      </form>
    </SignInLayout>
  );
}
