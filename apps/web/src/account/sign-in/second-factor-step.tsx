import { Anchor, Button, Divider, Stack, Text } from '@mantine/core';
import { type Icon, KeyIcon, PasskeyFillIcon } from '@primer/octicons-react';
import { useEffect, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { FACTOR_ICONS } from '../factor-icons';
import { CodeForm } from './code-form';
import { PrimaryButton } from './primary-button';
import { signWithPasskey } from './passkey';
import { type Challenge, type FactorMethod, handleExpiredChallenge, secondsUntilExpiry } from './challenge';
import { SignInNotice } from './sign-in-notice';
import { useSecondsUntil } from './use-countdown';
import { useSignInStep } from './use-sign-in-step';

const ICONS: Readonly<Record<FactorMethod, Icon>> = { ...FACTOR_ICONS, recovery_code: KeyIcon };

/** The page shows a countdown when this time or less remains. */
const COUNTDOWN_FROM_SECONDS = 120;

/** The request that verifies a second factor. */
export interface SecondFactorProof {
  readonly challengeToken: string;
  readonly method: FactorMethod;
  readonly code?: string;
  readonly credential?: Record<string, unknown>;
}

interface Props<Result> {
  readonly challenge: Challenge;
  readonly verify: (proof: SecondFactorProof) => Promise<Result>;
  readonly onVerified: (result: Result) => void;
  readonly onExpired: (reason: unknown) => void;
  readonly onRestart: () => void;
}

export function SecondFactorStep<Result>({ challenge, verify, onVerified, onExpired, onRestart }: Props<Result>) {
  const [method, setMethod] = useState<FactorMethod>(challenge.methods[0]!);
  useExpiry(challenge, onExpired);
  const proof = useSignInStep(
    async (getProof: () => Promise<Pick<SecondFactorProof, 'code' | 'credential'>>) => {
      try {
        return { result: await verify({ challengeToken: challenge.token, method, ...(await getProof()) }) };
      } catch (error) {
        return handleExpiredChallenge(error, onExpired);
      }
    },
    (verified) => verified && onVerified(verified.result),
  );
  return (
    <Stack>
      {proof.error && <SignInNotice error={proof.error} secondsLeft={proof.secondsLeft} />}
      {method === 'passkey' ? (
        <PasskeyProof
          isRunning={proof.isRunning}
          isWaiting={proof.secondsLeft > 0}
          onStart={() => proof.start(async () => ({ credential: await signChallenge(challenge.token) }))}
        />
      ) : (
        <CodeForm
          key={method}
          method={method}
          challengeToken={challenge.token}
          isRunning={proof.isRunning}
          isWaiting={proof.secondsLeft > 0}
          isWrong={proof.error instanceof ApiProblem && proof.error.code === 'mfa_failed'}
          onCode={(code) => proof.start(async () => ({ code }))}
          onExpired={onExpired}
        />
      )}
      <OtherMethods
        methods={challenge.methods.filter((each) => each !== method)}
        onChosen={(chosen) => {
          proof.reset();
          setMethod(chosen);
        }}
      />
      <Text size="sm" c="dimmed">
        {t('signIn.secondFactor.lost')}
      </Text>
      <Remaining challenge={challenge} />
      <Anchor component="button" type="button" size="sm" onClick={onRestart}>
        {t('signIn.secondFactor.startAgain')}
      </Anchor>
    </Stack>
  );
}

interface PasskeyProps {
  readonly isRunning: boolean;
  readonly isWaiting: boolean;
  readonly onStart: () => void;
}

function PasskeyProof({ isRunning, isWaiting, onStart }: PasskeyProps) {
  return (
    <Stack>
      <Text size="sm">{t('signIn.secondFactor.advice.passkey')}</Text>
      <PrimaryButton
        type="button"
        leftSection={<PasskeyFillIcon size={20} />}
        loading={isRunning}
        disabled={isWaiting}
        onClick={onStart}
      >
        {t('signIn.secondFactor.usePasskey')}
      </PrimaryButton>
    </Stack>
  );
}

function OtherMethods({ methods, onChosen }: { methods: readonly FactorMethod[]; onChosen: (method: FactorMethod) => void }) {
  if (methods.length === 0) return null;
  return (
    <>
      <Divider label={t('signIn.secondFactor.otherWay')} />
      <Stack gap="sm">
        {methods.map((method) => {
          const Icon = ICONS[method];
          return (
            <Button key={method} variant="default" leftSection={<Icon size={18} />} onClick={() => onChosen(method)}>
              {t(`signIn.secondFactor.methods.${method}`)}
            </Button>
          );
        })}
      </Stack>
    </>
  );
}

function Remaining({ challenge }: { challenge: Challenge }) {
  const secondsLeft = useSecondsUntil(challenge.endsAt);
  if (secondsLeft === 0 || secondsLeft > COUNTDOWN_FROM_SECONDS) return null;
  const time = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`;
  return (
    <Text size="sm" c="dimmed" ta="center" role="timer">
      {t('signIn.secondFactor.endsIn', { time })}
    </Text>
  );
}

/** Calls `onExpired` as soon as the challenge expires. */
function useExpiry(challenge: Challenge, onExpired: (reason: unknown) => void): void {
  useEffect(() => {
    const seconds = secondsUntilExpiry(challenge);
    if (seconds === undefined) return;
    const timer = window.setTimeout(() => onExpired(new Error(t('signIn.problems.expired'))), seconds * 1_000);
    return () => window.clearTimeout(timer);
    // `onExpired` changes only with the challenge.
  }, [challenge]);
}

async function signChallenge(challengeToken: string): Promise<Record<string, unknown>> {
  const body = { challengeToken, method: 'passkey' as const };
  const { publicKey } = (await unwrap(api.POST('/v1/auth/mfa/challenge', { body }))).data;
  return signWithPasskey(publicKey ?? {});
}
