import { Button, Stack } from '@mantine/core';
import { api, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { usePageSearch } from './open-page';
import { PrimaryButton } from './primary-button';
import { SignInLayout } from './sign-in-layout';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';

/** Asks whether the user wants to sign out, because an application asked for it without a proof. The endpoint then checks where to return. */
export function SignOutPage() {
  const { logout = '' } = usePageSearch();
  const signOut = useSignInStep(endSession, () => window.location.assign(`/oauth/logout?${logout}`));
  return (
    <SignInLayout title={t('signIn.signOut.title')} description={t('signIn.signOut.text')}>
      {signOut.error && <SignInNotice error={signOut.error} secondsLeft={signOut.secondsLeft} />}
      <Stack gap="sm">
        <PrimaryButton type="button" loading={signOut.isRunning} onClick={() => signOut.start(undefined)}>
          {t('signIn.signOut.confirm')}
        </PrimaryButton>
        <Button component="a" href="/account" variant="default" size="md" fullWidth>
          {t('signIn.signOut.stay')}
        </Button>
      </Stack>
    </SignInLayout>
  );
}

/** A session that has ended meanwhile is no error. */
async function endSession(): Promise<void> {
  await unwrap(api.POST('/v1/auth/logout')).catch((error: unknown) => {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
  });
}
