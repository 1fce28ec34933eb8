import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PasswordField } from '../../ui/password-field';
import { toChallenge } from '../sign-in/challenge';
import { type SecondFactorProof, SecondFactorStep } from '../sign-in/second-factor-step';
import { SignInNotice } from '../sign-in/sign-in-notice';
import { useSignInStep } from '../sign-in/use-sign-in-step';
import { isRecentlyAuthenticated } from './recent-authentication';
import { SignInTab } from './sign-in-tab';

const verifyPassword = (password: string): Promise<unknown> =>
  unwrap(api.POST('/v1/auth/reauthentication/password', { body: { password } }));
const verifySecondFactor = (body: SecondFactorProof): Promise<unknown> =>
  unwrap(api.POST('/v1/auth/reauthentication/second-factor', { body }));

interface Props {
  readonly onReauthenticated: () => void;
}

/** Asks for a second factor, the password or a new sign-in, depending on the account. */
export function ReauthenticationForm({ onReauthenticated }: Props) {
  const [failure, setFailure] = useState<unknown>();
  const starting = useSignInStep(
    async () => (await unwrap(api.POST('/v1/auth/reauthentication'))).data,
    (started) => setOffer(started),
  );
  const [offer, setOffer] = useState<Schema<'ReauthenticationResponse'>>();
  const begin = (reason?: unknown) => {
    setFailure(reason);
    setOffer(undefined);
    starting.start(undefined);
  };
  useEffect(() => begin(), []);

  if (starting.error) return <ErrorNotice error={starting.error} onRetry={() => begin()} />;
  if (!offer) return <Loader aria-label={t('common.loading')} />;
  const challenge = toChallenge(offer.challengeToken ?? undefined, offer.methods, offer.expiresAt ?? undefined);
  return (
    <Stack>
      <Text size="sm">{t('account.reauthenticate.why')}</Text>
      {failure !== undefined && <SignInNotice error={failure} />}
      {challenge && (
        <SecondFactorStep
          challenge={challenge}
          verify={verifySecondFactor}
          onVerified={onReauthenticated}
          onExpired={begin}
          onRestart={() => begin()}
        />
      )}
      {offer.kind === 'password' && <PasswordForm onReauthenticated={onReauthenticated} />}
      {offer.kind === 'sign_in' && (
        <>
          <Text size="sm">{t('account.reauthenticate.signInAgain')}</Text>
          <SignInTab check={isRecentlyAuthenticated} onSignedIn={onReauthenticated} />
        </>
      )}
    </Stack>
  );
}

function PasswordForm({ onReauthenticated }: Props) {
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The field is rendered after the dialog, so the dialog can't focus it.
  useEffect(() => field.current?.focus(), []);
  const proof = useSignInStep(() => verifyPassword(password), onReauthenticated);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The event would bubble through the portal and submit a form of the page.
    event.stopPropagation();
    proof.start(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {proof.error && <SignInNotice error={proof.error} secondsLeft={proof.secondsLeft} />}
        <PasswordField
          ref={field}
          label={t('account.reauthenticate.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={proof.isRunning} disabled={proof.secondsLeft > 0}>
            {t('account.reauthenticate.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
