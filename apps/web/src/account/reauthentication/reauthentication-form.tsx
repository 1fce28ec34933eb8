import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PasswordField } from '../../ui/password-field';
import { challengeOf } from '../sign-in/challenge';
import { type SecondFactorProof, SecondFactorStep } from '../sign-in/second-factor-step';
import { SignInNotice } from '../sign-in/sign-in-notice';
import { useSignInStep } from '../sign-in/use-sign-in-step';

const withPassword = (password: string): Promise<unknown> =>
  answerOf(api.POST('/v1/auth/reauthentication/password', { body: { password } }));
const withSecondFactor = (body: SecondFactorProof): Promise<unknown> =>
  answerOf(api.POST('/v1/auth/reauthentication/second-factor', { body }));

interface Props {
  readonly onProven: () => void;
}

/** Asks for a second factor, or the password, or a new sign-in, whichever the account has. */
export function ReauthenticationForm({ onProven }: Props) {
  const [failure, setFailure] = useState<unknown>();
  const beginning = useSignInStep(
    async () => (await answerOf(api.POST('/v1/auth/reauthentication'))).data,
    (begun) => setOffer(begun),
  );
  const [offer, setOffer] = useState<Schema<'ReauthenticationResponse'>>();
  const begin = (reason?: unknown) => {
    setFailure(reason);
    setOffer(undefined);
    beginning.start(undefined);
  };
  useEffect(() => begin(), []);

  if (beginning.error) return <ErrorNotice error={beginning.error} onRetry={() => begin()} />;
  if (!offer) return <Loader aria-label={t('common.loading')} />;
  const challenge = challengeOf(offer.challengeToken ?? undefined, offer.methods, offer.expiresAt ?? undefined);
  return (
    <Stack>
      <Text size="sm">{t('account.proof.why')}</Text>
      {failure !== undefined && <SignInNotice error={failure} />}
      {challenge && (
        <SecondFactorStep
          challenge={challenge}
          verify={withSecondFactor}
          onVerified={onProven}
          onOver={begin}
          onStartAgain={() => begin()}
        />
      )}
      {offer.kind === 'password' && <PasswordForm onProven={onProven} />}
      {offer.kind === 'sign_in' && <SignInAgain />}
    </Stack>
  );
}

function PasswordForm({ onProven }: Props) {
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The field is rendered after the dialog, so the dialog can't focus it.
  useEffect(() => field.current?.focus(), []);
  const proof = useSignInStep(() => withPassword(password), onProven);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React events bubble through portals into a form of the page.
    event.stopPropagation();
    proof.start(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {proof.error && <SignInNotice error={proof.error} secondsLeft={proof.secondsLeft} />}
        <PasswordField
          ref={field}
          label={t('account.proof.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={proof.isRunning} disabled={proof.secondsLeft > 0}>
            {t('account.proof.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Signs out and returns to the sign-in page, for accounts that have only an identity provider. */
function SignInAgain() {
  const signOut = useSignInStep(
    async () => await answerOf(api.POST('/v1/auth/logout')),
    () => {
      const returnTo = window.location.pathname + window.location.search;
      window.location.assign(`/account/sign-in?${new URLSearchParams({ returnTo })}`);
    },
  );
  return (
    <Stack>
      <Text size="sm">{t('account.proof.signInAgain')}</Text>
      {signOut.error && <ErrorNotice error={signOut.error} />}
      <Group justify="flex-end">
        <Button loading={signOut.isRunning} onClick={() => signOut.start(undefined)}>
          {t('account.proof.toSignIn')}
        </Button>
      </Group>
    </Stack>
  );
}
