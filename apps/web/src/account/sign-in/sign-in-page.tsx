import { Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { findText, t } from '../../texts';
import { type Challenge, redirectChallenge, setChallenge as setRedirectChallenge, toChallenge } from './challenge';
import { completeSignIn } from './complete-sign-in';
import { CredentialsStep, type SignInOutcome } from './credentials-step';
import { SignInLayout } from './sign-in-layout';
import { rememberOrganization } from './last-organization';
import { openPage, usePageEmail, usePageSearch } from './open-page';
import { SignInNotice } from './sign-in-notice';
import type { SignInOptions } from './sign-in-options';
import { OtherOrganization, WithOrganization } from './with-organization';

const SignInSecondFactor = lazy(async () => ({ default: (await import('./sign-in-second-factor')).SignInSecondFactor }));

/** The sign-in: organization, then password, passkey or identity provider, then the second factor. */
export function SignInPage() {
  const { organization } = usePageSearch();
  const choose = (slug: string | undefined, email?: string) => {
    if (slug === undefined) rememberOrganization(undefined);
    void openPage('/account/sign-in', { organization: slug }, { email });
  };
  return (
    <WithOrganization
      organization={organization}
      title={t('signIn.organizationStep.title')}
      notice={<RedirectError />}
      onChosen={choose}
    >
      {(options) => <Steps key={options.organization.id} options={options} onOtherOrganization={() => choose(undefined)} />}
    </WithOrganization>
  );
}

function Steps({ options, onOtherOrganization }: { options: SignInOptions; onOtherOrganization: () => void }) {
  const { returnTo, reauthenticate } = usePageSearch();
  const email = usePageEmail();
  const [challenge, setChallenge] = useState<Challenge | null>(redirectChallenge);
  const [failure, setFailure] = useState<unknown>();
  const { organization } = options;

  const go = (outcome: SignInOutcome) => {
    setFailure(undefined);
    if (!outcome.mfaRequired) return void completeSignIn(organization.slug, returnTo).catch(setFailure);
    setChallenge(toChallenge(outcome.challengeToken, outcome.methods ?? [], outcome.challengeExpiresAt));
  };
  const restart = (reason?: unknown) => {
    setRedirectChallenge(null);
    setChallenge(null);
    setFailure(reason);
  };
  if (challenge)
    return (
      <SignInLayout
        title={t('signIn.secondFactor.title')}
        description={t('signIn.secondFactor.description')}
        organization={organization}
      >
        {failure !== undefined && <SignInNotice error={failure} />}
        <Suspense>
          <SignInSecondFactor challenge={challenge} onVerified={go} onExpired={restart} onRestart={() => restart()} />
        </Suspense>
      </SignInLayout>
    );
  return (
    <SignInLayout title={t('signIn.signInTo', { organization: organization.name })} organization={organization}>
      {reauthenticate && <Text>{t('signIn.again')}</Text>}
      {failure === undefined ? <RedirectError /> : <SignInNotice error={failure} />}
      <CredentialsStep options={options} email={email} returnTo={returnTo} onOutcome={go} />
      <Group justify="center">
        <OtherOrganization onClick={onOtherOrganization} />
      </Group>
    </SignInLayout>
  );
}

/** Shows the error of a redirect. Only the code comes from the URL, never the text. */
function RedirectError() {
  const { error } = usePageSearch();
  if (error === undefined) return null;
  const message = findText(`signIn.problems.byCode.${error}`) ?? t('signIn.problems.unknown');
  return <SignInNotice error={new ApiProblem(0, error, message)} />;
}
