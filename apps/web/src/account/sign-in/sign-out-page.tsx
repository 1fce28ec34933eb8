import { Button, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { api, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { loadMe } from './destination';
import { usePageSearch } from './open-page';
import { pageAddress, type PageSearch } from './page-address';
import { PrimaryButton } from './primary-button';
import { SignInLayout } from './sign-in-layout';
import { SignInNotice } from './sign-in-notice';
import { useLoaded } from './use-loaded';
import { useSignInStep } from './use-sign-in-step';

/** Asks whether to sign out, if an application can't prove that it signed the user in. */
export function SignOutPage() {
  const { data: me, error } = useLoaded('me', loadMe);
  const isSignedOut = error instanceof ApiProblem && error.status === 401;
  const continuation = continuationOf(usePageSearch());
  const step = useSignInStep(signOut, () => window.location.replace(continuation));
  useEffect(() => {
    if (isSignedOut) window.location.replace(continuation);
  }, [isSignedOut, continuation]);
  return (
    <SignInLayout title={t('signIn.signOut.title')} description={me && t('signIn.authorize.signedInAs', { email: me.email })}>
      {step.error && <SignInNotice error={step.error} secondsLeft={step.secondsLeft} />}
      <Text>{t('signIn.signOut.text')}</Text>
      <Stack gap="sm">
        <PrimaryButton type="button" loading={step.isRunning || isSignedOut} onClick={() => step.start(undefined)}>
          {t('signIn.signOut.submit')}
        </PrimaryButton>
        <Button component="a" href="/account" variant="default" size="md" fullWidth>
          {t('signIn.signOut.stay')}
        </Button>
      </Stack>
    </SignInLayout>
  );
}

const signOut = () =>
  unwrap(api.POST('/v1/auth/logout')).catch((error: unknown) => {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  });

/** Returns the address that checks where the application can continue, and goes there. */
const continuationOf = ({ client, redirect, state }: PageSearch): string =>
  pageAddress('/oauth/logout', { client_id: client, post_logout_redirect_uri: redirect, state });
