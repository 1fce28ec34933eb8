import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { type FactorMethod, handleExpiredChallenge } from './challenge';
import { PrimaryButton } from './primary-button';
import { SignInNotice } from './sign-in-notice';
import { useSecondsUntil } from './use-countdown';
import { useSignInStep } from './use-sign-in-step';

type CodeMethod = Exclude<FactorMethod, 'passkey'>;

/** The minimum time between two codes, which the service enforces. */
const RESEND_AFTER_MS = 30_000;

interface Props {
  readonly method: CodeMethod;
  readonly challengeToken: string;
  readonly isRunning: boolean;
  readonly isWaiting: boolean;
  readonly isWrong: boolean;
  readonly onCode: (code: string) => void;
  readonly onExpired: (reason: unknown) => void;
}

/** Asks for a code of an authenticator app, a code sent by email or SMS, or a recovery code. */
export function CodeForm({ method, challengeToken, isRunning, isWaiting, isWrong, onCode, onExpired }: Props) {
  const isSent = method === 'email' || method === 'sms';
  const [destination, setDestination] = useState<string>();
  return (
    <Stack>
      <Text size="sm" aria-live="polite">
        {destination === undefined ? t(`signIn.secondFactor.advice.${method}`) : t('signIn.secondFactor.sentTo', { destination })}
      </Text>
      {(!isSent || destination !== undefined) && (
        <CodeField method={method} isRunning={isRunning} isWaiting={isWaiting} isWrong={isWrong} onCode={onCode} />
      )}
      {isSent && (
        <SendCode
          method={method}
          challengeToken={challengeToken}
          isSent={destination !== undefined}
          onSent={setDestination}
          onExpired={onExpired}
        />
      )}
    </Stack>
  );
}

function CodeField({ method, isRunning, isWaiting, isWrong, onCode }: Omit<Props, 'challengeToken' | 'onExpired'>) {
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isRecovery = method === 'recovery_code';
  useEffect(() => {
    if (isWrong && !isRunning) setCode('');
  }, [isWrong, isRunning]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const entered = code.trim();
    setMissing(entered === '');
    if (entered) onCode(isRecovery ? entered : entered.replace(/\s/g, ''));
    else field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          ref={field}
          label={isRecovery ? t('signIn.secondFactor.recoveryCode') : t('signIn.secondFactor.code')}
          name="code"
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
          size="md"
          maxLength={64}
          required
          withAsterisk={false}
          autoFocus
          value={code}
          error={isMissing ? t('signIn.secondFactor.codeMissing') : isWrong && code === ''}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <PrimaryButton loading={isRunning} disabled={isWaiting}>
          {t('signIn.secondFactor.verify')}
        </PrimaryButton>
      </Stack>
    </form>
  );
}

interface SendProps {
  readonly method: 'email' | 'sms';
  readonly challengeToken: string;
  readonly isSent: boolean;
  readonly onSent: (destination: string) => void;
  readonly onExpired: (reason: unknown) => void;
}

function SendCode({ method, challengeToken, isSent, onSent, onExpired }: SendProps) {
  const [resendAt, setResendAt] = useState<number>();
  const resendWait = useSecondsUntil(resendAt);
  const step = useSignInStep(
    () =>
      unwrap(api.POST('/v1/auth/mfa/challenge', { body: { challengeToken, method } })).catch((error: unknown) =>
        handleExpiredChallenge(error, onExpired),
      ),
    (response) => {
      if (!response) return;
      setResendAt(Date.now() + RESEND_AFTER_MS);
      onSent(response.data.destination ?? t(`signIn.secondFactor.methods.${method}`));
    },
  );
  const wait = Math.max(resendWait, step.secondsLeft);
  const send = () => step.start(undefined);
  return (
    <>
      {step.error && <SignInNotice error={step.error} secondsLeft={step.secondsLeft} />}
      {isSent ? (
        <Button variant="default" onClick={send} loading={step.isRunning} disabled={wait > 0}>
          {wait > 0 ? t('signIn.secondFactor.resendIn', { seconds: wait }) : t('signIn.secondFactor.resend')}
        </Button>
      ) : (
        <PrimaryButton type="button" onClick={send} loading={step.isRunning} disabled={wait > 0}>
          {t('signIn.secondFactor.send')}
        </PrimaryButton>
      )}
    </>
  );
}
